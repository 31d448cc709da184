/**
 * `RECOGNISERS`: all rows of the lexicon. Their order is the precedence on one line: the specific reading before the general one, the
 * cause from outside before the symptom.
 */
import { inLines } from '../text/in-lines.ts';
import { oneOf } from '../text/one-of.ts';
import { OF_AGENTS } from './agents.ts';
import { OF_MACHINES } from './machine.ts';
import type { Role } from './programs.ts';
import { type Recogniser, recognisers } from './recogniser.ts';
import { OF_SUPPLY } from './supply.ts';
import { TOPICS } from './topics.ts';
import { OF_WORK } from './work.ts';

/** An error of the program's own code, whatever its words are about. */
const OWN_CODE = inLines('')`
  \b(?:Type|Reference|Value|Key|Index|Attribute|Name|Range|Assertion|Argument|NoMethod|Lookup)Error\b|\b(?:NullPointer|IllegalArgument|
  IllegalState|ClassCast|IndexOutOfBounds)Exception\b`;
/** Programs that deal with others. */
const OUTWARD: readonly Role[] = ['git', 'http', 'database', 'remote', 'container', 'package', 'runtime'];
const CALLS: readonly Role[] = ['runtime', 'http'];
/** By topic: the kinds of program that speak of it, there only in a line whose shape states a failure. */
const ELSEWHERE: Readonly<Record<string, readonly Role[]>> = {
  certificate: OUTWARD,
  connection: OUTWARD,
  login: OUTWARD,
  permission: OUTWARD,
  resource: OUTWARD,
  context: CALLS,
  money: CALLS,
  protocol: CALLS,
  time: OUTWARD,
  stopped: ['database', 'git', 'remote'],
};

function outward(topic: Recogniser): readonly Recogniser[] {
  const name = topic.id.replace('topic.', '');
  const roles = ELSEWHERE[name];
  if (roles === undefined) return [];
  const unless =
    topic.unless === undefined ? OWN_CODE : oneOf(topic.unless, new RegExp(OWN_CODE, topic.unless.flags));
  return [{ ...topic, id: `outward.${name}`, roles, without: ['test', 'build', 'lint'], unless, alone: 0 }];
}

const topics = recognisers(TOPICS);

export const RECOGNISERS: readonly Recogniser[] = [
  ...[OF_AGENTS, OF_MACHINES, OF_SUPPLY].flatMap(recognisers),
  ...topics.flatMap(outward),
  ...recognisers(OF_WORK),
  ...topics,
];
