// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// The viewer's keys.
import type { Keys } from '../common/keys';
import type { App } from './app';

export function bindKeys(keys: Keys, app: App): void {
    const { player, layers, visibility, selection } = app;
    const chosen = (): number[] => (selection.body === null ? [] : [selection.body]);
    keys.bind({ keys: [' '], shown: ['space'], help: 'play or pause', action: () => player.toggle() });
    keys.bind({ keys: ['ArrowLeft'], shown: ['←'], help: 'previous event', action: () => app.stepEvent(-1) });
    keys.bind({ keys: ['ArrowRight'], shown: ['→'], help: 'next event', action: () => app.stepEvent(1) });
    keys.bind({ keys: ['Shift+ArrowLeft'], shown: ['shift', '←'], help: 'one frame back, at the speed of playing', action: () => player.step(-1) });
    keys.bind({ keys: ['Shift+ArrowRight'], shown: ['shift', '→'], help: 'one frame on', action: () => player.step(1) });
    keys.bind({ keys: ['+', '='], shown: ['+'], help: 'faster, up to 100 times', action: () => player.setSpeedIndex(player.speedIndex + 1) });
    keys.bind({ keys: ['-', '_'], shown: ['−'], help: 'slower, down to 1/10,000', action: () => player.setSpeedIndex(player.speedIndex - 1) });
    keys.bind({ keys: ['r'], shown: ['R'], help: 'to the start', action: () => player.seek(0) });
    keys.bind({ keys: ['c'], shown: ['C'], help: 'contacts on or off', action: () => layers.toggle('contacts') });
    keys.bind({ keys: ['i'], shown: ['I'], help: 'impulses and contact forces', action: () => layers.toggle('impulses') });
    keys.bind({ keys: ['v'], shown: ['V'], help: 'velocities', action: () => layers.toggle('velocities') });
    keys.bind({ keys: ['e'], shown: ['E'], help: 'energy, momentum and force plots', action: () => layers.toggle('plots') });
    keys.bind({ keys: ['t'], shown: ['T'], help: 'trails of centres of mass', action: () => layers.toggle('trails') });
    keys.bind({ keys: ['b'], shown: ['B'], help: 'colours by material, or each body its own', action: () => layers.toggleColours() });
    keys.bind({ keys: ['h'], shown: ['H'], help: 'the chosen body: see through, hidden, shown', action: () => visibility.cycle(chosen()) });
    keys.bind({
        keys: ['o'], shown: ['O'], help: 'only the chosen body, or all again', action: () => {
            visibility.isolate(visibility.isolated !== null || selection.body === null ? null : chosen());
        },
    });
    keys.bind({ keys: ['a'], shown: ['A'], help: 'show all bodies', action: () => visibility.showAll() });
    keys.bind({ keys: ['f'], shown: ['F'], help: 'look at the chosen body, or at everything', action: () => app.scene.frame() });
    keys.bind({
        keys: ['Escape'], shown: ['esc'], help: 'choose nothing', action: () => {
            selection.chooseBody(null);
            selection.chooseEvent(null);
            selection.follow(null);
        },
    });
}
