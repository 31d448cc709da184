import { describe, expect, it } from 'vitest';
import { renderQuestion } from '../../../src/cli/render/question.ts';
import { proposeLesson } from '../../../src/context/propose-lesson.ts';
import { autopsy } from '../../../src/core/detect/autopsy/autopsy.ts';
import { diagnose } from '../../../src/core/diagnose/diagnose.ts';
import { blockerQuestion } from '../../../src/core/gates/blocker-question.ts';
import { openQuestion } from '../../../src/core/state/run-state.ts';
import { readableQuotes } from '../../../src/core/text/quote-fenced.ts';
import { BLOCKERS, blocker } from '../../../src/core/vocabulary/blockers/blocker.ts';
import type { Blocker, BlockerCode } from '../../../src/core/vocabulary/blockers/blocker-rule.ts';
import { FAILURE_CLASSES, type FailureClass } from '../../../src/core/vocabulary/classes/failure-class.ts';
import type { Question } from '../../../src/core/vocabulary/questions/question.ts';
import { transcript, failedCall, edit } from '../detect/transcript-builder.ts';
import { HOSTILE, MARK, marked, outside } from '../hostile-texts.ts';
import { EXAMINATION, Story } from '../story.ts';

/** Not a name of one word, and not hostile. */
const HARMLESS = 'a plain line';

function asked(story: Story): Question {
  return openQuestion(story.state)?.question ?? expect.fail('a question is asked');
}

/** Everything of a question that is a sentence of Mayday's. */
function sentences({ kind, text, whyNow, tried, options }: Question): string {
  const offered = options.map(({ id, label, effect }) => `${id}: ${label}: ${effect}`);
  return outside([kind, text, whyNow, ...tried, ...offered].join('\n'));
}

const read = diagnose({ output: 'AssertionError: expected 1 to be 2', exitCode: 1 });

function afterFailure(failure: FailureClass, text: string): Question {
  const story = marked(new Story({ task: { checks: [] }, policy: { restarts: 0 } }))
    .prepared()
    .started();
  const diagnosis = {
    ...read,
    failureType: failure,
    confidence: 0.9,
    rootCause: text,
    humanInstructions: text,
    recoveryPlan: text,
    suggestedActions: [text],
    evidence: [{ line: 1, text }],
    retryAt: null,
  };
  story.ended({ exitCode: 1 }, { ...EXAMINATION, diagnosis, deniedTools: [text], withheld: [text] });
  for (let left = 20; left > 0 && openQuestion(story.state) === undefined; left--) {
    story.tell({ type: 'timer_fired', name: 'retry' }, 3_600_000_000);
    if (story.state.life.type === 'working') story.started().ended({ exitCode: 1 }, { diagnosis });
  }
  return asked(story);
}

const PLACES: Readonly<Record<string, (text: string) => Question>> = {
  ...Object.fromEntries(
    (Object.keys(FAILURE_CLASSES) as FailureClass[])
      // Ends an attempt well, or is waited out by itself.
      .filter((name) => !['success', 'rate_limited', 'overloaded', 'network_failure'].includes(name))
      .map((name) => [`the cause of ${name}`, (text: string) => afterFailure(name, text)]),
  ),
  'a flag of the agent': (text) => {
    const raised = { reason: text, code: text, question: text, options: [text, text], evidence: [text] };
    return asked(marked(new Story()).prepared().started().ended({ exitCode: 0 }, { raised }));
  },
  'a flag of the agent without a question': (text) => {
    const raised = { reason: text, code: null, question: null, options: [] };
    return asked(marked(new Story()).prepared().started().ended({ exitCode: 0 }, { raised }));
  },
  'a flag on the command line': (text) => {
    const story = marked(new Story()).prepared().started();
    story.tell({ type: 'flag_raised', by: 'ann', reason: text, proof: 'not_told_apart', nonce: 'n' });
    return asked(story.ended({ exitCode: 0, endedBy: 'mayday' }));
  },
  'a command that failed': (text) => {
    const story = marked(new Story());
    const failed = { command: 'prepare_workspace', code: 'GIT_FAILED', message: text, advice: [] };
    story.tell({ type: 'command_failed', ...failed });
    return asked(story);
  },
  'a shared cause': (text) => {
    const story = marked(new Story()).prepared().started().ended({ exitCode: 1 });
    story.tell({ type: 'shared_cause_found', key: 'k', runs: ['r1', 'r2', 'r3'], cause: text });
    return asked(story);
  },
};

describe.each(Object.entries(PLACES))('a question after %s', (_, ask) => {
  const harmless = sentences(ask(HARMLESS));

  it('holds what programs and agents said only between the marks of its turn', () => {
    for (const text of HOSTILE) expect(sentences(ask(text)), text).toBe(harmless);
  });

  it('looks the same on the terminal, whatever they said', () => {
    const shown = (text: string) => renderQuestion('r1', ask(text), 1);
    const lines = shown(HARMLESS).split('\n').length;
    for (const text of HOSTILE) {
      expect(shown(text).split('\n'), text).toHaveLength(lines);
      // oxlint-disable-next-line no-control-regex
      expect(shown(text)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f\u2028\u2029\u202a-\u202e\u200b]/);
    }
  });
});

describe.each(Object.keys(BLOCKERS) as BlockerCode[])('a question about %s', (code) => {
  const { state } = new Story().prepared();
  const textFor = (found: Blocker) => {
    const { text, labels = {} } = blockerQuestion(state, found, MARK);
    return outside([text, ...Object.values(labels).flat()].join('\n'));
  };
  const said = (text: string): Blocker => ({
    ...blocker('empty_change', { source: 'gate' }),
    code,
    source: 'said',
    said: [text, text, text],
  });

  it('holds what the blocker names only between marks', () => {
    for (const text of HOSTILE) expect(textFor(said(text)), text).toBe(textFor(said(HARMLESS)));
  });
});

it('a question about names says them as they are', () => {
  const { state } = new Story().prepared();
  const found = blocker('scope_exceeded', { source: 'change', paths: ['db/token_store.txt', 'x y'] });
  const { text } = blockerQuestion({ ...state, scope: { allowed: ['src/**'], by: 'ann' } }, found, MARK);
  const names = `db/token_store.txt, <<${MARK} x y ${MARK}>>`;
  expect(text).toBe(
    `${names} were changed, but are outside the scope src/**. Expand the scope to include ${names}?`,
  );
  expect(readableQuotes(text)).toContain('db/token_store.txt, “x y” were changed');
});

describe('a proposed lesson', () => {
  const lesson = (text: string, said: readonly string[] = []) =>
    proposeLesson(
      {
        runId: 'r1',
        incident: 'r1-i1',
        task: '',
        failedCalls: [],
        diff: [],
        class: 'missing_dependency',
        fingerprint: null,
        rootCause: text,
        evidence: [text],
        commands: [],
        notes: [],
        did: [],
        statements: said,
        changed: [],
        proof: 'every gate passed',
        at: 0,
        by: 'ann',
      },
      MARK,
      null,
    );

  it.each(HOSTILE.filter((text) => text.trim() !== ''))(
    'has what programs said only between marks in its title, and not in its name: %j',
    (text) => {
      const { title, id } = lesson(text);
      expect(outside(title)).toBe('missing dependency: <<>>');
      expect(title.length).toBeLessThanOrEqual(120);
      expect(id).toMatch(/^missing-dependency-[0-9a-f]{6}$/);
      const { title: helped } = lesson('left-pad is not installed', [text]);
      expect(outside(helped)).toMatch(
        /^missing dependency(, this helped|, the agent's own explanation \(not checked\))?: <<>>$/,
      );
      expect(helped.length).toBeLessThanOrEqual(120);
    },
  );

  it('tells what failed, what was done and when to apply it, the calls without their JSON', () => {
    const { title, guidance } = proposeLesson(
      {
        runId: 'r1',
        incident: 'r1-i1',
        task: '',
        failedCalls: [],
        diff: [],
        class: 'looping',
        fingerprint: null,
        rootCause: 'npm test: 5 times with the same result',
        evidence: ['{"command":"npm test"}', '3 failed: an upload ends before it begins'],
        commands: ['npm test'],
        notes: [],
        did: ['the agent was told: Find out why it does not help.'],
        statements: ['The tests read the wall clock.'],
        changed: ['src/clock.ts'],
        proof: 'the check passed',
        at: 0,
        by: 'mayday',
      },
      MARK,
      null,
    );
    expect(readableQuotes(title)).toBe(
      "looping, the agent's own explanation (not checked): “The tests read the wall clock”",
    );
    expect(guidance.split('\n')).toEqual([
      'What failed: “npm test: 5 times with the same result”; seen: `3 failed: an upload ends before it begins`.',
      'What was done: the agent was told: Find out why it does not help; the agent then said (not checked) ' +
        '“The tests read the wall clock”; the work that passed changed `src/clock.ts`.',
      'When to apply: when a run meets looping or runs `npm test`.',
      'Proof of delivery: “the check passed”.',
    ]);
  });
});

describe('the brief of an autopsy', () => {
  const briefOf = (text: string) => {
    const entries = transcript([
      { say: 'write a.txt', role: 'person' },
      edit(`a${text}.txt`, 'a', 'b'),
      ...Array.from({ length: 6 }, () => failedCall(`x ${text}`, `Error: y ${text}`)),
    ]);
    const { next } = autopsy('s1', entries, (input) => ({ ...diagnose(input), rootCause: text }), {}, MARK);
    return next.brief ?? expect.fail('there is a brief');
  };

  it.each(HOSTILE.filter((text) => text.length < 1_000))('changes nothing outside the marks: %j', (text) => {
    expect(outside(briefOf(text))).toBe(outside(briefOf(HARMLESS)));
    expect(briefOf(text)).toContain(`<<${MARK} x`);
  });
});
