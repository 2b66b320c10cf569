// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// Many arrows, or many dots, as instances; drawn over the bodies so that none is hidden in them.
import {
    type BufferGeometry, Color, ConeGeometry, CylinderGeometry, Group, InstancedMesh, Matrix4, MeshBasicMaterial,
    Quaternion, SphereGeometry, Vector3,
} from 'three';

const UP = new Vector3(0, 0, 1);

function overlay(geometry: BufferGeometry, capacity: number): InstancedMesh {
    const material = new MeshBasicMaterial({ depthTest: false, transparent: true, toneMapped: false });
    const mesh = new InstancedMesh(geometry, material, capacity);
    mesh.count = 0;
    mesh.frustumCulled = false;
    mesh.renderOrder = 10;
    return mesh;
}

export class Arrows {
    readonly group = new Group();
    private readonly shafts: InstancedMesh;
    private readonly heads: InstancedMesh;
    private used = 0;
    private readonly scratch = { matrix: new Matrix4(), turn: new Quaternion(), scale: new Vector3(), tip: new Vector3(), along: new Vector3() };

    constructor(readonly capacity: number) {
        this.shafts = overlay(new CylinderGeometry(1, 1, 1, 8, 1, true).rotateX(Math.PI / 2).translate(0, 0, 0.5), capacity);
        this.heads = overlay(new ConeGeometry(2.6, 7, 12).rotateX(Math.PI / 2).translate(0, 0, -3.5), capacity);
        this.group.add(this.shafts, this.heads);
    }

    begin(): void {
        this.used = 0;
    }

    /** width: the radius of the shaft; an arrow shorter than its head is not drawn. */
    add(from: Vector3, vector: Vector3, width: number, colour: Color): void {
        const { matrix, turn, scale, tip, along } = this.scratch;
        const length = vector.length();
        if (this.used >= this.capacity || length < 1.5 * width) return;
        const head = Math.min(width, length / 9);
        along.copy(vector).divideScalar(length);
        turn.setFromUnitVectors(UP, along);
        const shaft = length - 6 * head;
        this.shafts.setMatrixAt(this.used, matrix.compose(from, turn, scale.set(head, head, shaft)));
        tip.copy(from).add(vector);
        this.heads.setMatrixAt(this.used, matrix.compose(tip, turn, scale.set(head, head, head)));
        this.shafts.setColorAt(this.used, colour);
        this.heads.setColorAt(this.used, colour);
        this.used++;
    }

    end(): void {
        for (const mesh of [this.shafts, this.heads]) finish(mesh, this.used);
    }
}

export class Dots {
    readonly mesh: InstancedMesh;
    private used = 0;
    private readonly matrix = new Matrix4();

    /** geometry: of a dot of radius 1. */
    constructor(readonly capacity: number, geometry: BufferGeometry = new SphereGeometry(1, 10, 7)) {
        this.mesh = overlay(geometry, capacity);
    }

    begin(): void {
        this.used = 0;
    }

    add(at: Vector3, radius: number, colour: Color): void {
        if (this.used >= this.capacity) return;
        this.mesh.setMatrixAt(this.used, this.matrix.makeScale(radius, radius, radius).setPosition(at));
        this.mesh.setColorAt(this.used, colour);
        this.used++;
    }

    end(): void {
        finish(this.mesh, this.used);
    }
}

function finish(mesh: InstancedMesh, used: number): void {
    mesh.count = used;
    mesh.instanceMatrix.needsUpdate = true;
    if (mesh.instanceColor !== null) mesh.instanceColor.needsUpdate = true;
}
