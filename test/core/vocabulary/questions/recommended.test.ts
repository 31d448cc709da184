import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openQuestion } from '../../../../src/core/state/run-state.ts';
import { runJson } from '../../../../src/core/view/run-json.ts';
import type { RunEvent } from '../../../../src/core/vocabulary/events/event.ts';
import type { Question } from '../../../../src/core/vocabulary/questions/question.ts';
import { recommendedOf, safeOption } from '../../../../src/core/vocabulary/questions/recommended.ts';
import { renderQuestion } from '../../../../src/cli/render/question.ts';
import { CHECKPOINT, Story } from '../../story.ts';

/** Every question that the recorded journals of version 2 asked, with what each option would have done. */
const ASKED: readonly Question[] = readFileSync(
  new URL('../../../journals/version-2.jsonl', import.meta.url),
  'utf8',
)
  .trimEnd()
  .split('\n')
  .flatMap((line) => (JSON.parse(line) as { readonly events: readonly RunEvent[] }).events)
  .flatMap((event) => (event.type === 'question_asked' ? [event.question] : []));

/** Written apart from the table: what an answer gives away that no gate judges afterwards. */
const GIVES_AWAY = /scope|approve|accept|raise|allow|pass|start_anyway/;

describe('the recommended option', () => {
  it('never widens, waives, judges, spends or gives away, in any question on record', () => {
    const taken = ASKED.map(({ options, recommended }) => {
      const id = safeOption(options, recommended ?? undefined);
      return options.find((option) => option.id === id)?.consequence?.type ?? 'none';
    });
    expect(taken.filter((type) => GIVES_AWAY.test(type))).toEqual([]);
    expect(new Set(taken).size).toBeGreaterThan(4);
  });

  it('of an older journal is shown only where it is safe', () => {
    const unsafe = ASKED.filter((question) =>
      GIVES_AWAY.test(
        question.options.find(({ id }) => id === question.recommended)?.consequence?.type ?? '',
      ),
    );
    expect(unsafe.length).toBeGreaterThan(5);
    for (const question of unsafe) {
      expect(recommendedOf(question)).toBeNull();
      expect(renderQuestion('r1', question, 1)).not.toContain('(recommended)');
      expect(renderQuestion('r1', question, 1)).toContain(`mayday answer ${question.id} NUMBER`);
    }
  });

  it('is not among the choices of an agent, whose order means nothing', () => {
    const story = new Story().prepared().started();
    story.ended(
      { exitCode: 0 },
      {
        raised: { reason: 'unclear', code: null, question: 'Which?', options: ['drop the table', 'keep it'] },
      },
    );
    const { question } = openQuestion(story.state) ?? {};
    expect(question?.options.map(({ id }) => id)).toContain('option_1');
    expect(question?.recommended).toBeNull();
    expect(runJson(story.state)).toMatchObject({
      questions: [{ recommended: null }],
      next_step: 'mayday answer r1-q1 OPTION',
    });
  });

  it('of a change outside the scope is to do it without', () => {
    const story = new Story({ task: { scope: ['src/**'] } }).prepared().started();
    story.ended({ exitCode: 0 }, { claimsDone: true, claim: 'done', checkpoint: CHECKPOINT });
    story.checked('gate', 't1', true, ['db/b.ts']);
    expect(openQuestion(story.state)?.question).toMatchObject({
      kind: 'scope',
      options: [{ id: 'expand_scope' }, { id: 'revise_work' }, { id: 'abandon' }],
      recommended: 'revise_work',
    });
  });
});
