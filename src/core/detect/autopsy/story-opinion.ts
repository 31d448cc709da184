/** `StoryOpinion`: what a model thinks about a whole run, after the record checked it. */
import type { Opinion } from '../../vocabulary/opinion.ts';

export const STORY_STATES = ['stuck', 'not_stuck', 'cannot_tell'] as const;

/** As in the reply: the document of an autopsy shows it as it is. */
export interface StoryAnswer {
  readonly stuck: (typeof STORY_STATES)[number];
  /** Null unless it is stuck. */
  readonly since_entry: number | null;
  readonly cause: string;
  /** Empty: the model names none. */
  readonly next_step: string;
}

export type StoryOpinion = Opinion<StoryAnswer>;
