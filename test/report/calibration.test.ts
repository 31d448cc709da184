/** What came true of opinions: each is a hypothesis that the run, a person or later runs confirm or refute; what nobody sees is not judged. */
import { describe, expect, it } from 'vitest';
import { readRunMetrics, writeRunMetrics } from '../../src/core/view/metrics-code.ts';
import { type RunMetrics, runMetrics } from '../../src/core/view/run-metrics.ts';
import type { AskedQuestion, Attempt, Incident, RunState } from '../../src/core/state/run-state.ts';
import type { GivenOpinion, OpinionKind, OpinionOutcome } from '../../src/core/vocabulary/opinion.ts';
import { calibration } from '../../src/report/metrics/calibration.ts';
import type { LessonFacts } from '../../src/report/metrics/learning-metrics.ts';
import { opinionSection } from '../../src/report/page/learning-sections.ts';
import type { Report } from '../../src/report/build-report.ts';
import { Story } from '../core/story.ts';
import { incidentMetrics, runMetrics as metricsOf } from './metrics-under-test.ts';

const START = new Story().prepared().started().state;
const ANSWERS: Readonly<Record<string, unknown>> = {
  diagnose: { class: 'disk_full', cause: 'x' },
  story: { stuck: 'stuck', since_entry: 1, cause: 'x', next_step: 'y' },
  belongs: { files: [{ path: 'near.js', role: 'judges_it', weakens: true }] },
  lesson: { lesson: 'l1', title: 't', guidance: 'g', applies: 'a' },
};

function given(kind: OpinionKind, answer: object = {}, confidence = 0.95): GivenOpinion {
  const outcome: OpinionOutcome = {
    type: 'answered',
    opinion: {
      by: 'claude',
      kind,
      answer: { ...(ANSWERS[kind] as object), ...answer },
      quotes: [],
      checked: [],
      confidence,
      costUsd: 0.004,
      tokens: 900,
    },
  };
  return { outcome, at: 5, attempt: 1, durationMs: 1_000, promptHash: 'h' };
}
const UNANSWERED: GivenOpinion = {
  ...given('diagnose'),
  outcome: {
    type: 'unanswered',
    by: 'claude',
    kind: 'diagnose',
    reason: 'no answer within 60 s',
    costUsd: null,
    tokens: null,
  },
};
const incident = (outcome: Incident['outcome']) =>
  ({
    id: 'i1',
    class: 'disk_full',
    attempt: 1,
    detectedAt: 1,
    decidedAt: null,
    recoveries: [],
    diagnosis: null,
    outcome,
  }) as unknown as Incident;
/** The first attempt failed; the others rescue it. */
const attempts = (number: number): readonly Attempt[] =>
  Array.from({ length: number }, (_, at) => ({
    ...(START.attempts[0] as Attempt),
    number: at + 1,
    incident: at === 0 ? null : 'i1',
  }));

/** As it comes back from the record. */
function stored(opinions: readonly GivenOpinion[], change: Partial<RunState> = {}): RunMetrics {
  const row = writeRunMetrics(runMetrics({ ...START, ...change, opinions }));
  return readRunMetrics(row) ?? expect.fail('it is not readable');
}

const NOTHING = { history: [], lessons: [], falsePositives: new Set<string>() };
/** Of all opinions of the runs: how many were judged, and how many came true. */
function judged(runs: readonly RunMetrics[], known: Partial<typeof NOTHING> | object = {}) {
  const [provider] = calibration({ runs, ...NOTHING, ...known });
  const bands = provider?.kinds.flatMap(({ claimed }) => claimed) ?? [];
  return [bands.reduce((sum, { n }) => sum + n, 0), bands.reduce((sum, band) => sum + band.came_true, 0)];
}
const TRUE = [1, 1];
const FALSE = [1, 0];
const NOT_OBSERVED = [0, 0];

describe('the table of a provider', () => {
  const runs = [
    stored([given('diagnose')], { incidents: [incident('resolved')] }),
    stored([given('diagnose', { class: 'network_failure' })], { incidents: [incident('resolved')] }),
    stored([given('diagnose'), given('belongs', { files: [] }, 0.6)], { incidents: [incident(null)] }),
    stored([UNANSWERED]),
  ];

  it('counts what was claimed against what happened next, in all and by kind, and nothing that is not known', () => {
    expect(calibration({ runs, ...NOTHING })).toEqual([
      {
        by: 'claude',
        asked: 5,
        answered: 4,
        cost_usd: expect.closeTo(0.016),
        claimed: [{ from: 0.9, answered: 3, n: 2, came_true: 1 }],
        kinds: [
          {
            kind: 'belongs',
            asked: 1,
            answered: 1,
            claimed: [{ from: 0.5, answered: 1, n: 0, came_true: 0 }],
          },
          {
            kind: 'diagnose',
            asked: 4,
            answered: 3,
            claimed: [{ from: 0.9, answered: 3, n: 2, came_true: 1 }],
          },
        ],
      },
    ]);
  });

  it('is a page for people, which says of what nothing was observed', () => {
    const { blocks } = opinionSection({ opinions: calibration({ runs, ...NOTHING }) } as unknown as Report);
    expect(blocks[1]).toMatchObject({
      rows: [
        ['claude', 'belongs', '50 % or more', '1', 'not observed'],
        ['claude', 'diagnose', '90 % or more', '3', expect.stringMatching(/^1 .*of 2/)],
      ],
    });
  });

  it('reads rows from before there was more than the outcome', () => {
    const [opinion] = stored([given('diagnose')]).opinions;
    const row = JSON.parse(writeRunMetrics(stored([given('diagnose')]))) as unknown[];
    row[6] = [['claude', 'diagnose', 0.95, 0.004, true]];
    expect(readRunMetrics(JSON.stringify(row))?.opinions).toEqual([
      { ...opinion, cameTrue: true, about: null, saysTrouble: null },
    ]);
  });
});

describe('an opinion on a failure', () => {
  const run = stored([given('diagnose')], { incidents: [incident('resolved')] });

  it('is refuted by a person who calls the incident a false alarm', () => {
    expect(judged([run])).toEqual(TRUE);
    expect(judged([run], { falsePositives: new Set(['i1']) })).toEqual(FALSE);
  });

  it('that nothing failed is confirmed by that', () => {
    const success = stored([given('diagnose', { class: 'success' })], { incidents: [incident('resolved')] });
    expect(judged([success])).toEqual(FALSE);
    expect(judged([success], { falsePositives: new Set(['i1']) })).toEqual(TRUE);
  });
});

describe('an opinion on a run that was stopped', () => {
  const run = (outcome: Incident['outcome'], number: number, change: Partial<RunState> = {}, answer = {}) =>
    stored([given('story', answer)], {
      incidents: [incident(outcome)],
      attempts: attempts(number),
      ...change,
    });
  const asked = (askedAt: number) =>
    [{ question: { askedAt }, incident: 'i1', answer: null }] as unknown as AskedQuestion[];
  const { plannedAt } = START.attempts[0] as Attempt;

  it('came true if the attempt that was told it got past the incident, and did not if it ended there again', () => {
    expect(judged([run('resolved', 2)])).toEqual(TRUE);
    expect(judged([run('resolved', 3)])).toEqual(FALSE);
    expect(judged([run('resolved', 3, { questions: asked(plannedAt + 1) })])).toEqual(FALSE);
  });

  it.each([
    ['while the next attempt works', run(null, 2)],
    ['without a next attempt', run('abandoned', 1)],
    ['where a person was asked before the next attempt', run('resolved', 2, { questions: asked(plannedAt) })],
    ['where it said that the run was not stuck', run('resolved', 2, {}, { stuck: 'not_stuck' })],
    ['where it could not tell', run('resolved', 2, {}, { stuck: 'cannot_tell' })],
  ])('is not judged %s', (_, one) => {
    expect(judged([one])).toEqual(NOT_OBSERVED);
  });

  it('is judged by a person who calls the incident a false alarm', () => {
    const falsePositives = new Set(['i1']);
    expect(judged([run('resolved', 2)], { falsePositives })).toEqual(FALSE);
    expect(judged([run('abandoned', 1, {}, { stuck: 'not_stuck' })], { falsePositives })).toEqual(TRUE);
    expect(judged([run('resolved', 2, {}, { stuck: 'cannot_tell' })], { falsePositives })).toEqual(
      NOT_OBSERVED,
    );
  });
});

describe('a run that was stopped as looping and explained by a model', () => {
  /** The next attempt of the story is stopped for a loop, and explained. */
  function stopped(story: Story): Story {
    const attempt = story.state.attempts.length;
    const signal = {
      type: 'looping',
      severity: 'critical',
      reason: 'the same again and again',
      sinceAt: story.now,
      at: story.now,
      evidence: [],
      confidence: 1,
      suggestedAction: 'look',
      disproof: '',
    } as const;
    story.tell({ type: 'signal_raised', attempt, signal });
    const { at: _, ...opinion } = { ...given('story'), attempt };
    story.tell({ type: 'opinion_given', version: 1, ...opinion });
    return story.ended({ exitCode: null, signal: 'SIGINT', endedBy: 'mayday' }).waited();
  }
  const outcomes = ({ state }: Story) => runMetrics(state).opinions.map(({ cameTrue }) => cameTrue);

  it('bears it out by the attempt that was told of it and got on, and refutes it by one that loops again', () => {
    const told = stopped(new Story().prepared().started());
    expect(outcomes(told)).toEqual([null]);
    told.started().ended({ exitCode: 0 }, { claimsDone: true }).checked('gate', 't0', true, ['a.txt']);
    expect(told.state.incidents).toMatchObject([{ class: 'looping', outcome: 'resolved' }]);
    expect(outcomes(told)).toEqual([true]);
    const again = stopped(stopped(new Story().prepared().started()).started());
    expect(outcomes(again)).toEqual([false, null]);
  });
});

describe('an opinion on what belongs to the work', () => {
  const opinion = { weakens: true, quote: 'q', says: 's' };
  const key = (source: string, judge: object = { opinion }) => ({
    code: 'touch_point_unrecorded',
    source,
    fields: source === 'judges' ? { judges: [{ path: 'near.js', why: 'opinion', ...judge }] } : {},
  });
  const run = (option: string | null, keys: readonly object[], answer = {}) =>
    stored([given('belongs', answer)], {
      questions: [
        {
          question: { about: { tree: 't', attempt: 1, blockers: keys } },
          incident: null,
          answer: option === null ? null : { option, note: '', by: 'ann', at: 1 },
        },
      ] as unknown as AskedQuestion[],
    });

  it.each(['judges', 'unrelated'])(
    'came true if the person sent the work back, not if it is meant (%s)',
    (source) => {
      expect(judged([run('revise_work', [key(source)])])).toEqual(TRUE);
      expect(judged([run('record_judgment', [key(source)])])).toEqual(FALSE);
    },
  );

  it.each([
    ['until the person answers', run(null, [key('judges')])],
    ['where the person ended the run', run('abandon', [key('judges')])],
    ['where the question was about something observed, too', run('revise_work', [key('judges'), key('git')])],
    ['where a judge was seen without it', run('revise_work', [key('judges', { opinion: undefined })])],
    ['where it named nothing', run('revise_work', [key('judges')], { files: [] })],
    ['where nobody was asked', stored([given('belongs')])],
  ])('is not judged %s', (_, one) => {
    expect(judged([one])).toEqual(NOT_OBSERVED);
  });
});

describe('a lesson in the words of a model', () => {
  const learned = { ...stored([given('lesson')]), repository: '/repo' };
  const lesson: LessonFacts = {
    id: 'l1',
    fingerprints: [],
    classes: ['disk_full'],
    words: [],
    paths: [],
    commands: [],
    repository: '/repo',
    title: 't',
    status: 'approved',
    incident: 'i1',
    decided: true,
  };
  /** It was told in answer to the incident. */
  const told = (outcome: 'resolved' | 'abandoned', number: number) =>
    Array.from({ length: number }, (_, at) =>
      metricsOf({
        id: `r${at}`,
        created: at,
        incidents: [
          incidentMetrics({ class: 'disk_full', attempt: 1, outcome, again: outcome === 'resolved' ? 1 : 2 }),
        ],
        shown: [{ id: 'l1', hash: 'h', attempt: 2, match: 'class' }],
      }),
    );
  const judgedBy = (history: readonly RunMetrics[], of = lesson) =>
    judged([learned], { history: [learned, ...history], lessons: [of] });

  it('came true where it helped the runs that were told it, and did not where it misled them', () => {
    expect(judgedBy(told('resolved', 1))).toEqual(TRUE);
    expect(judgedBy(told('abandoned', 3))).toEqual(FALSE);
  });

  it('is not judged before, by its approval, or by a lesson of another repository', () => {
    expect(judgedBy([])).toEqual(NOT_OBSERVED);
    expect(judgedBy(told('resolved', 1), { ...lesson, repository: '/other' })).toEqual(NOT_OBSERVED);
    expect(judged([learned])).toEqual(NOT_OBSERVED);
  });
});
