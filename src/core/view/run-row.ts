/** `runRow`: the read-model row of a run. */
import { openQuestion, type RunState } from '../state/run-state.ts';
import { firstLine } from '../text/first-line.ts';
import { totalUsage } from '../state/usage.ts';
import { runJson } from './run-json.ts';
import { writeRunMetrics } from './metrics-code.ts';
import { runMetrics } from './run-metrics.ts';
import { stateWord } from './state-word.ts';

const MAX_TITLE = 80;

export function runRow(state: RunState) {
  return {
    runId: state.runId,
    title: firstLine(state.task.text).slice(0, MAX_TITLE),
    state: state.life.type === 'ended' && state.life.removed ? 'removed' : stateWord(state),
    stage: state.stage,
    agent: state.agent.name,
    repository: state.repository,
    createdAt: state.createdAt,
    updatedAt: state.updatedAt,
    progressAt: state.progressAt,
    costUsd: totalUsage(state).costUsd,
    needsPerson: openQuestion(state) !== undefined,
    ended: state.life.type === 'ended',
    view: JSON.stringify(runJson(state)),
    metrics: writeRunMetrics(runMetrics(state)),
  };
}
