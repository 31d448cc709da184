/** The same runs as another harness would have recorded them: what a detector may not depend on. */

export interface Step {
  readonly type: string;
  readonly tool?: string | null;
  readonly role?: string;
  readonly input?: unknown;
  readonly output?: unknown;
  readonly h?: string | undefined;
}

/** A step, and which step of the run as it was it stands for. */
export type Regrained = readonly (readonly [step: Step, original: number])[];

const isAnswer = ({ type }: Step): boolean => type === 'observation' || type === 'error';
const each =
  (change: (step: Step, index: number) => Step) =>
  (steps: readonly Step[]): Regrained =>
    steps.map((step, index) => [change(step, index), index]);
const after =
  (where: (step: Step) => boolean, extra: (index: number) => Step) =>
  (steps: readonly Step[]): Regrained =>
    steps.flatMap(
      (step, index): Regrained =>
        where(step)
          ? [
              [step, index],
              [extra(index), index],
            ]
          : [[step, index]],
    );
const outputs = (change: (output: string, index: number) => string) =>
  each((step, index) => ({
    ...step,
    h: undefined,
    output: isAnswer(step) && typeof step.output === 'string' ? change(step.output, index) : step.output,
  }));

function merged(steps: readonly Step[]): Regrained {
  const joined: (readonly [Step, number])[] = [];
  for (let i = 0; i < steps.length; i++) {
    const step = steps[i] as Step;
    const next = steps[i + 1];
    if (step.type === 'action' && next !== undefined && isAnswer(next)) {
      joined.push([{ ...step, output: next.output, h: next.h }, i + 1]);
      i++;
    } else joined.push([step, i]);
  }
  return joined;
}

export const REGRAINED: Readonly<Record<string, (steps: readonly Step[]) => Regrained>> = {
  'as recorded': each((step) => step),
  'tool names dropped': each((step) => ({ ...step, tool: null })),
  'tool names unknown': each((step) => (step.tool ? { ...step, tool: `t${step.tool.length % 7}` } : step)),
  'arguments as JSON': each((step) =>
    step.type === 'action' && typeof step.input === 'string'
      ? { ...step, input: { text: step.input } }
      : step,
  ),
  'no words between the calls': (steps) =>
    steps.flatMap(
      (step, index): Regrained => (step.type === 'message' && step.role !== 'user' ? [] : [[step, index]]),
    ),
  'words between call and answer': after(
    ({ type }) => type === 'action',
    (index) => ({ type: 'message', output: `I look at what came back, number ${index}.` }),
  ),
  'call and answer in one step': merged,
  "answers in the user's place": each((step) =>
    isAnswer(step) ? { ...step, type: 'message', role: 'user' } : step,
  ),
  '"go on" in the user\'s place': after(isAnswer, () => ({
    type: 'message',
    role: 'user',
    output: 'Please go on.',
  })),
  'a system line after each answer': after(isAnswer, (index) => ({
    type: 'message',
    role: 'system',
    output: `[reminder ${index}]`,
  })),
  'errors not marked': each((step) => (step.type === 'error' ? { ...step, type: 'observation' } : step)),
  'exit codes in the text': each((step) =>
    isAnswer(step)
      ? { ...step, output: `Exit code: ${step.type === 'error' ? 1 : 0}\n${String(step.output)}` }
      : step,
  ),
  'a time in each answer': outputs((output, index) => `${output}\n(took ${(index * 7) % 13}.${index} s)`),
  'answers cut to 1000': outputs((output) => output.slice(0, 1_000)),
  'answers cut to 500': outputs((output) => output.slice(0, 500)),
  'answers cut to 200': outputs((output) => output.slice(0, 200)),
  'only the last 500': outputs((output) => output.slice(-500)),
  'cut in the middle to 400': outputs((output) =>
    output.length > 400 ? `${output.slice(0, 200)}\n[truncated]\n${output.slice(-200)}` : output,
  ),
};
