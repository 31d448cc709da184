/**
 * `LateAnswers`: keeps an answer for a few seconds before it becomes a word to the run, so that a person can take it back. A server that
 * ends speaks what it keeps at once; one that is killed leaves the question open, where the person sees it again.
 */
import {
  answerQuestion,
  type AnswerInput,
  hasAnswer,
  planAnswer,
} from '../use-cases/steer/answer-question.ts';
import { loadState } from '../supervise/load-state.ts';
import type { Caller } from '../use-cases/caller.ts';
import { granted } from '../use-cases/refusal-error.ts';
import { readable } from './inbox-document.ts';
import { problemDocument, type HttpProblem } from './problem.ts';

/** Long enough to notice the wrong key, short enough not to be waited for. */
export const TAKE_BACK_MS = 4_000;
/** How long the page can still read what became of it. */
const REMEMBERED_MS = 60_000;

export interface LateAnswer {
  /** Given by the page; empty: it gave none. */
  readonly id: string;
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

  /**
   * What cannot be an answer is refused at once. A page that did not hear what became of its answer sends it again, with the same `id`:
   * it gets what became of it, and the run hears it once.
   */
  async keep(caller: Caller, asked: AnswerInput & { readonly id: string }): Promise<LateAnswer> {
    const before = this.#kept.get(asked.name)?.answer;
    if (before?.id === asked.id && asked.id !== '' && before.by === caller.by) return before;
    const planned = await planAnswer(caller, asked);
    const at = Date.now();
    const given = { id: asked.id, by: caller.by, at, until: at + this.#keepMs, problem: null } as const;
    if (planned.type === 'refused' && planned.because === 'question_closed') {
      // A server before this one may have said it.
      const { questions } = await loadState(caller.record, planned.runId);
      const known = questions.find(({ question }) => question.id === asked.name);
      if (known !== undefined && hasAnswer(known.answer, caller, asked))
        return { ...given, question: asked.name, option: asked.option, label: asked.option, state: 'taken' };
    }
    const letter = granted(planned);
    const { question, option } = letter;
    const label = readable(question.options.find(({ id }) => id === option)?.label ?? option);
    const answer = { ...given, question: question.id, option, label, state: 'kept' } as const;
    this.takeBack(question.id);
    const say = () => this.#say(caller, letter);
    const timer = setTimeout(() => void say(), this.#keepMs);
    this.#kept.set(question.id, { answer, timer, say });
    return answer;
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
