// SPDX-License-Identifier: Apache-2.0
// Copyright the Carom authors
//
// All of the library that a page uses, from one place.
export * from './laws';
export * from './module';
export * from './motions';
