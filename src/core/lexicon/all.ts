/**
 * `RECOGNISERS`: all rows of the lexicon. Their order is the precedence on one line: the specific reading before the general one, the
 * cause from outside before the symptom.
 */
import { OF_AGENTS } from './agents.ts';
import { OF_MACHINES } from './machine.ts';
import { type Recogniser, recognisers } from './recogniser.ts';
import { OF_SUPPLY } from './supply.ts';
import { OF_WORK } from './work.ts';

export const RECOGNISERS: readonly Recogniser[] = [OF_AGENTS, OF_MACHINES, OF_SUPPLY, OF_WORK].flatMap(
  recognisers,
);
