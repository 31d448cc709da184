/** `oneAnswer`: notices that different calls all get the same answer: a dead shell, a broken tool, a session that has ended. */
import { type Detector, type Level, levelOf, quote, raise, severityOf } from '../../detector.ts';
import type { AgentTurn } from '../../agent-turn.ts';

const WINDOW = 8;
/** Most of the window. Useful answers may be equal by chance, so there all of them must be. */
const WARN = 5;
const STOP = 6;
/** A shorter answer ("ok", "true") is that of many healthy calls. */
const TELLING_CHARS = 12;

export const oneAnswer: Detector<Level> = {
  name: 'one answer to everything',
  init: 0,
  next: (raised, { turn, trail }) => {
    if (turn === null || !isTelling(turn)) return [raised, []];
    const recent = differentCalls(trail.turns);
    const same = recent.filter(({ result }) => result === turn.result);
    const level =
      turn.failed || turn.barren ? levelOf(same.length, WARN, STOP) : levelOf(same.length, STOP, WINDOW);
    if (level === 0 || level <= raised) return [level, []];
    const first = same.at(-1) as AgentTurn;
    const answer = turn.errorLine === '' ? '(nothing)' : quote(turn.errorLine);
    const share = `${same.length} of the last ${recent.length}`;
    return raise(level, turn, turn.step, {
      type: 'one_answer',
      severity: severityOf(level),
      reason: `${share} different calls got the same answer: ${answer}`,
      sinceAt: first.startedAt,
      sinceStep: first.callStep,
      evidence: same.slice(0, 4).map(({ input }) => quote(input)),
      confidence: level === 2 ? 0.85 : 0.6,
      suggestedAction: 'start the tool or the shell that answers anew; no call can tell anything until then',
      disproof: 'a call with another answer',
    });
  },
};

function differentCalls(turns: readonly AgentTurn[]): readonly AgentTurn[] {
  const found: AgentTurn[] = [];
  const seen = new Set<number>();
  for (let i = turns.length - 1; i >= 0 && found.length < WINDOW; i--) {
    const turn = turns[i] as AgentTurn;
    if (turn.sibling || turn.kind === 'plan' || turn.waiting !== null || seen.has(turn.callLoose)) continue;
    seen.add(turn.callLoose);
    found.push(turn);
  }
  return found;
}

/** False for answers that healthy calls share: a confirmed edit, a move, a passed check, a command that prints nothing. */
function isTelling(turn: AgentTurn): boolean {
  if (turn.sibling || turn.waiting !== null) return false;
  if (turn.failed) return true;
  if (turn.kind === 'read' || turn.kind === 'search')
    return turn.barren || turn.resultLength >= TELLING_CHARS;
  return turn.kind === 'run' && turn.resultLength >= TELLING_CHARS;
}
