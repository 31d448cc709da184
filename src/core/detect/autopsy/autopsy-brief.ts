/** `autopsyBrief`, `briefWithOpinion`, `opinionLines`: the text that the next agent reads; a model's opinion is quoted. */
import { counted } from '../../text/counted.ts';
import { marksTold, quoteFenced } from '../../text/quote-fenced.ts';
import { changes } from '../staleness.ts';
import { bareCommand } from '../check-mark.ts';
import { callText } from '../detector.ts';
import type { RecordedTurn } from './recorded-turn.ts';
import { type Repeated, repeated } from './repeated-turns.ts';
import type { StoryOpinion } from './story-opinion.ts';

interface BriefFacts {
  readonly task: string;
  readonly turns: readonly RecordedTurn[];
  readonly firstStuckStep: number | null;
  readonly rootCause: string | null;
  readonly lastCheck: RecordedTurn | null;
  /** What it did again and again. */
  readonly groups: readonly Repeated[];
}

const TASK_CHARS = 4_000;
const LISTED = 5;
const OPINION_CHARS = 400;
/** To commit or to change the branch changes no file of the work. */
const OF_GIT = /^git (?:checkout -b|switch|commit|add|push|stash)\b/;

export function autopsyBrief(facts: BriefFacts, mark: string): string {
  const { task, turns, firstStuckStep, rootCause } = facts;
  const groups =
    firstStuckStep === null
      ? facts.groups
      : repeated(turns.filter((turn) => turn.callStep >= firstStuckStep));
  const sections = [
    section('Task', task.slice(0, TASK_CHARS)),
    marksTold(mark),
    section('Where the work stands', [
      changesTold(facts, mark),
      ...checkTold(facts, mark),
      'Look at the tree (`git status`, `git diff`) before anything else; it is the only record that counts.',
    ]),
    section('What stopped the last attempt', rootCause === null ? [] : [quoteFenced(rootCause, mark)]),
    section(
      'Do not repeat',
      groups.map((group) => doNot(group, mark)),
    ),
    section('Start here', [
      groups.length === 0
        ? 'Say in one sentence what the last attempt took for granted, and check that first.'
        : 'Say in one sentence why the calls above cannot succeed as they are, then take a different way.',
      'If the cause is outside this repository or not yours to change, say so and stop.',
    ]),
  ];
  return sections.filter((text) => text !== '').join('\n');
}

export function briefWithOpinion(brief: string, opinion: StoryOpinion, mark: string): string {
  return `${brief}\n${section('What a model thinks', opinionLines(opinion, mark))}`;
}

export function opinionLines({ by, answer, quotes }: StoryOpinion, mark: string): readonly string[] {
  return [
    `An opinion of ${quoteFenced(by, mark)}, with ${counted(quotes.length, 'quote')} found in the record. ` +
      'It may be wrong: check it before you use it.',
    `Cause: ${quoteFenced(answer.cause, mark, OPINION_CHARS)}`,
    ...(answer.next_step === '' ? [] : [`Next step: ${quoteFenced(answer.next_step, mark, OPINION_CHARS)}`]),
  ];
}

/** The record tells what was changed, never that nothing was: a command may write without saying so. */
function changesTold({ turns }: BriefFacts, mark: string): string {
  const names = turns
    .filter((turn) => changes(turn) && !(turn.edit === null && OF_GIT.test(bareCommand(turn.input))))
    .map((turn) => turn.edit?.path ?? callText(turn));
  const changed = [...new Set(names)].slice(-LISTED);
  if (changed.length === 0) return 'The record shows no change of a file.';
  return `Changed so far: ${changed.map((name) => quoteFenced(name, mark)).join(', ')}.`;
}

function checkTold({ lastCheck }: BriefFacts, mark: string): readonly string[] {
  if (lastCheck === null) return [];
  const how = lastCheck.failed ? `failed: ${quoteFenced(lastCheck.errorLine, mark)}` : 'passed';
  return [`The last check, ${quoteFenced(callText(lastCheck), mark)}, ${how}`];
}

function doNot({ turn, turns, count }: Repeated, mark: string): string {
  const often = turns.every(({ error }) => error === turn.error) ? 'always' : 'mostly';
  const failed = turn.errorLine === '' ? '' : `, ${often}: ${quoteFenced(turn.errorLine, mark)}`;
  return `${quoteFenced(callText(turn), mark)} (${count} times${failed})`;
}

function section(title: string, body: string | readonly string[]): string {
  const text = typeof body === 'string' ? body.trim() : body.map((line) => `- ${line}`).join('\n');
  return text === '' ? '' : `## ${title}\n\n${text}\n`;
}
