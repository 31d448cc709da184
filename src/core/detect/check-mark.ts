/** `checkOf`, `bareCommand`, `askedProgram`: what a call checks or asks, so that it is seen as the same in whatever dress. */
import { oneOf } from '../text/one-of.ts';
import { commandOf } from './call-kind.ts';
import { editOf } from './edit-target.ts';
import { pollingOf } from './polling.ts';
import { hashLoose } from './text-hash.ts';
import type { AgentTurn } from './agent-turn.ts';

/** What stands before a program without changing what it does: another place, a pause, a time limit, values of the environment. */
const BEFORE = new RegExp(
  `^(?:${
    oneOf(
      /(?:cd|pushd|sleep|chmod|chown|rm|mkdir|touch|export|source|unset|set|echo|printf|true)\b[^&;|\n]{0,200}(?:&&|;|\n)\s*/,
      /(?:env\s+)?[A-Z_]\w{0,60}=(?:'[^']{0,200}'|"[^"]{0,200}"|\S{0,200})\s+/,
      /(?:timeout(?: -\S+(?: [A-Z]+)?)* [\d.]+[smh]?|time|nice(?: -n ?-?\d+)?|nohup|command|env)\s+/,
    ).source
  })+`,
);
/** From here on a command line only cuts, filters or stores what the check says. */
const AFTERWARDS = /\s*(?:\||\d?&?>|(?:;|&&)\s*(?:echo|cat|tail|head|exit|true)\b|\|\|).*$/s;
const FLAG = /(?:^|\s)--?(?:[\w-]+(?:=\S+)?)?(?=\s|$)/g;

/** The command line of a call without what hides that it is the same again. */
export function bareCommand(input: string): string {
  return commandOf(input).trim().replace(BEFORE, '');
}

/** The program and what it is asked, whatever is shown of its answer. */
export function askedProgram(input: string): string {
  return bareCommand(input).replace(AFTERWARDS, '').replace(FLAG, ' ').trim();
}

/** 0 for a call that checks nothing: looking, planning, waiting. A program that did not end by itself is told by how it ended. */
export function checkOf(turn: AgentTurn): number {
  const { tool, kind, input, ended, callStep, step } = turn;
  // An error of the harness belongs to no call.
  if (callStep === step) return 0;
  if (ended !== null) return hashLoose(`${tool} ${ended}`);
  switch (kind) {
    case 'test':
    case 'run':
      return hashLoose(`${tool} ${askedProgram(input)}`);
    // Some tools change a file and run the tests at once; an editor may refuse what would not compile.
    case 'edit':
      return hashLoose(`${tool} ${editOf(input)?.path ?? ''}`);
    default:
      return isWorkAfterPause(turn) ? hashLoose(`${tool} ${askedProgram(input)}`) : 0;
  }
}

/** A pause before a command that does something: the command counts. */
export function isWorkAfterPause({ waiting, input }: AgentTurn): boolean {
  return waiting === 'sleep' && pollingOf(bareCommand(input)) === null;
}
