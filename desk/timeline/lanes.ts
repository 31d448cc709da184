/** `LANES`: where each lane of the timeline begins, in pixels, and the size of the whole. `LaneShown`: what a lane shows. */
import type { RunJson } from '../../src/core/view/run-json.ts';
import type { TimeScale } from './time-scale.ts';

export interface LaneShown {
  readonly run: RunJson;
  readonly scale: TimeScale;
  readonly now: number;
}

/** The margin at the left and at the right. */
export const EDGE = 24;
export const HEIGHT = 236;
export const LANES = {
  life: 28,
  calls: 66,
  checkpoints: 108,
  incidents: 134,
  checks: 176,
  cost: 204,
} as const;

/** A label is drawn whole or not at all. */
export const fits = (text: string, room: number) => text.length * 6.4 + 12 < room;
