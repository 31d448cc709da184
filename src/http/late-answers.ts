/**
 * `LateAnswers`: keeps an answer for a few seconds before it becomes a word to the run, so that a person can take it back. A server that
 * ends speaks what it keeps at once; one that is killed leaves the question open, where the person sees it again.
 */
import { answerQuestion, type AnswerInput } from '../use-cases/steer/answer-question.ts';
import type { Caller } from '../use-cases/caller.ts';
import { granted } from '../use-cases/refusal-error.ts';
import { problemDocument, type HttpProblem } from './problem.ts';

/** Long enough to notice the wrong key, short enough not to be waited for. */
export const TAKE_BACK_MS = 4_000;
/** How long the page can still read what became of it. */
const REMEMBERED_MS = 60_000;

export interface LateAnswer {
  readonly question: string;
  readonly option: string;
  /** The words of the option, as the person saw them. */
  readonly label: string;
  readonly by: string;
  /** `kept`: can be taken back; `said`: on its way to the run; `taken`: the run has it; `refused`: nothing was recorded. */
  readonly state: 'kept' | 'said' | 'taken' | 'refused';
  /** When the person said it. */
  readonly at: number;
  readonly until: number;
  readonly problem: HttpProblem | null;
}

interface Kept {
  answer: LateAnswer;
  readonly timer: NodeJS.Timeout;
  readonly say: () => Promise<void>;
}

export class LateAnswers {
  readonly #keepMs: number;
  readonly #kept = new Map<string, Kept>();

  constructor(keepMs: number = TAKE_BACK_MS) {
    this.#keepMs = keepMs;
  }

  keep(caller: Caller, input: AnswerInput, label: string): LateAnswer {
    this.takeBack(input.name);
    const at = Date.now();
    const until = at + this.#keepMs;
    const answer = {
      question: input.name,
      option: input.option,
      label,
      by: caller.by,
      at,
      until,
      problem: null,
    } as const;
    const say = () => this.#say(caller, input);
    const timer = setTimeout(() => void say(), this.#keepMs);
    this.#kept.set(input.name, { answer: { ...answer, state: 'kept' }, timer, say });
    return { ...answer, state: 'kept' };
  }

  /** False: it is said already, or there was none. */
  takeBack(question: string): boolean {
    const kept = this.#kept.get(question);
    if (kept?.answer.state !== 'kept') return false;
    clearTimeout(kept.timer);
    return this.#kept.delete(question);
  }

  all(): readonly LateAnswer[] {
    const now = Date.now();
    for (const [question, { answer }] of this.#kept)
      if (answer.state !== 'kept' && answer.until + REMEMBERED_MS < now) this.#kept.delete(question);
    return [...this.#kept.values()].map(({ answer }) => answer);
  }

  /** Before the server ends. */
  async sayAll(): Promise<void> {
    await Promise.all(
      [...this.#kept.values()]
        .filter(({ answer }) => answer.state === 'kept')
        .map(({ timer, say }) => {
          clearTimeout(timer);
          return say();
        }),
    );
  }

  async #say(caller: Caller, input: AnswerInput): Promise<void> {
    const become = (change: Pick<LateAnswer, 'state'> & Partial<LateAnswer>) => {
      const kept = this.#kept.get(input.name);
      if (kept !== undefined) kept.answer = { ...kept.answer, ...change };
    };
    become({ state: 'said' });
    try {
      granted(await answerQuestion(caller, input));
      become({ state: 'taken' });
    } catch (error) {
      become({ state: 'refused', problem: problemDocument(error) });
    }
  }
}
