import { describe, expect, it } from 'vitest';
import { efficacyOf } from '../../src/context/efficacy.ts';
import { contradictions, staleLessons } from '../../src/context/review-lessons.ts';
import type { IncidentMetrics, RunMetrics } from '../../src/core/view/run-metrics.ts';
import { aLesson } from './a-lesson.ts';
import { incidentMetrics, runMetrics } from '../report/metrics-under-test.ts';

const lesson = aLesson({ id: 'l', fingerprints: ['f'] });

function hit(attempt: number, change: Partial<IncidentMetrics> = {}): IncidentMetrics {
  return incidentMetrics({ attempt, fingerprint: 'f', outcome: 'resolved', ...change });
}

function run(created: number, change: Partial<RunMetrics> = {}): RunMetrics {
  return runMetrics({ id: `r${created}`, created, ended: created + 1, ...change });
}

const shown = (attempt: number) => [{ id: 'l', hash: 'h', attempt, match: 'fingerprint' }];

describe('the efficacy of a lesson', () => {
  it('counts a run once for each: shown, clean, helped, recurred', () => {
    const runs = [
      run(1, { incidents: [hit(1)] }),
      run(2),
      run(3, { shown: shown(1) }),
      run(4, { shown: [...shown(1), ...shown(2)], incidents: [hit(1)] }),
      run(5, { shown: shown(2), incidents: [hit(1)] }),
      run(6, { shown: shown(2), incidents: [hit(1), hit(2)] }),
      run(7, { shown: shown(1), ended: null }),
    ];
    expect(efficacyOf(lesson, runs)).toEqual({
      shown: 4,
      clean: 1,
      untested: 0,
      helped: 2,
      recurred: 2,
      base: { runs: 2, hit: 1 },
      // Half of the runs were hit before: of two runs that had it from the start one was expected, one was hit.
      avoided: 0,
      verdict: 'useful',
    });
  });

  it('claims no avoided recurrence where the trouble was never seen, and never more than the earlier share', () => {
    const after = Array.from({ length: 10 }, (_, index) => run(100 + index, { shown: shown(1) }));
    expect(efficacyOf(lesson, after).avoided).toBe(0);
    const before = [run(1, { incidents: [hit(1)] }), run(2), run(3), run(4)];
    expect(efficacyOf(lesson, [...before, ...after]).avoided).toBe(2.5);
  });

  it('gives no credit on an unrelated task: the situation did not come up, so the lesson was not tested', () => {
    const before = [run(1, { title: 'write the order parser', incidents: [hit(1)] })];
    const unrelated = [10, 11].map((at) => run(at, { title: 'fix a typo in the readme', shown: shown(1) }));
    expect(efficacyOf(lesson, [...before, ...unrelated])).toMatchObject({
      clean: 0,
      untested: 2,
      avoided: 0,
      verdict: 'unproven',
    });
    const related = run(12, { title: 'write the invoice parser', shown: shown(1) });
    expect(efficacyOf(lesson, [...before, ...unrelated, related])).toMatchObject({
      clean: 1,
      untested: 2,
      avoided: 1,
    });
    for (const match of ['paths', 'command', 'words']) {
      const inSituation = run(13, { title: 'tidy up', shown: [{ id: 'l', hash: 'h', attempt: 1, match }] });
      expect(efficacyOf(lesson, [...before, inSituation]), match).toMatchObject({ clean: 1, untested: 0 });
    }
  });

  it('counts trouble that came again in the attempt that was told it, also within one incident', () => {
    const runs = [run(1, { shown: shown(2), incidents: [hit(1, { again: 2, outcome: 're-escalated' })] })];
    expect(efficacyOf(lesson, runs)).toMatchObject({ shown: 1, recurred: 1, helped: 0 });
    const cured = [run(1, { shown: shown(3), incidents: [hit(1, { again: 2 })] })];
    expect(efficacyOf(lesson, cured)).toMatchObject({ shown: 1, recurred: 0, helped: 1 });
  });

  it('takes no credit from runs that had its class but not its words, paths or commands', () => {
    const about = aLesson({ id: 'l', classes: ['test_failure'], words: ['parser'] });
    const before = [run(1, { title: 'fix the button', incidents: [hit(1)] })];
    const after = run(9, {
      title: 'write the parser',
      shown: [{ id: 'l', hash: 'h', attempt: 1, match: 'words' }],
    });
    expect(efficacyOf(about, [...before, after])).toMatchObject({ avoided: 0, base: { runs: 1, hit: 0 } });
    const alike = [run(1, { title: 'fix the parser', incidents: [hit(1)] })];
    expect(efficacyOf(about, [...alike, after])).toMatchObject({ avoided: 1, base: { runs: 1, hit: 1 } });
  });

  it('calls a lesson useless once it failed in half of six runs', () => {
    const runs = Array.from({ length: 6 }, (_, index) =>
      run(index, { shown: shown(1), incidents: index < 3 ? [hit(1)] : [] }),
    );
    expect(efficacyOf(lesson, runs).verdict).toBe('useless');
    expect(efficacyOf(lesson, runs.slice(1)).verdict).toBe('unproven');
  });
});

describe('a review of lessons', () => {
  it('finds two that say the opposite about the same thing, not two that agree', () => {
    const about = { classes: ['test_failure'] };
    const found = contradictions([
      aLesson({ id: 'do', guidance: 'Run the tests with --runInBand on CI.', ...about }),
      aLesson({ id: 'dont', guidance: 'Never run the tests with --runInBand on CI.', ...about }),
      aLesson({ id: 'agree', guidance: 'Run the tests with --runInBand on CI machines.', ...about }),
      aLesson({ id: 'far', guidance: 'Never commit the lock file.', ...about }),
    ]);
    expect(found.map(({ a, b }) => [a, b])).toEqual([
      ['do', 'dont'],
      ['dont', 'agree'],
    ]);
  });

  it('finds those whose paths are gone', () => {
    const lessons = [
      aLesson({ id: 'gone', paths: ['src/old/**'] }),
      aLesson({ id: 'there', paths: ['src/new/**'] }),
      aLesson({ id: 'anywhere' }),
    ];
    expect(staleLessons(lessons, ['src/new/a.ts']).map(({ id }) => id)).toEqual(['gone']);
  });
});
