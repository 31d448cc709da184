/** Writing the work to its sink, idempotently; a sink's failure stays a sink's failure. */
import { blocker } from '../core/blocker.ts';
import type { Fact } from '../core/event.ts';
import type { Act, ActContext } from './act.ts';
import type { Delivery } from './deliver/delivery.ts';
import { deliverBranch } from './deliver/deliver-branch.ts';
import { deliverNone } from './deliver/deliver-none.ts';

export const deliver: Act<'deliver'> = async (context, { sink, tree, salvage }) => {
  const { home, state, signal, now } = context;
  const spec = { runId: state.runId, home, tree, signal };
  const delivery = await write(context, sink, spec);
  if (delivery.type === 'blocked')
    return [{ type: 'delivery_blocked', at: now(), blocker: delivery.blocker }];
  const ref = sink.type === 'none' ? null : delivery.ref;
  const fact: Fact = { type: 'work_delivered', at: now(), ref, files: delivery.files, salvage };
  return [fact];
};

async function write(
  { state }: ActContext,
  sink: Parameters<Act<'deliver'>>[1]['sink'],
  spec: { runId: string; home: string; tree: string; signal: AbortSignal },
): Promise<Delivery> {
  const plainFolder =
    state.workspace?.kind !== 'worktree' && sink.type === 'branch' && sink.name === `mayday/${state.runId}`;
  // In place, the work already lies where the person wants it; the default branch would be a second copy.
  if (sink.type === 'none' || plainFolder) return await deliverNone(spec);
  if (sink.type === 'branch')
    return await deliverBranch({
      ...spec,
      branch: sink.name,
      message: message(state.task.text),
      at: state.updatedAt,
    });
  return {
    type: 'blocked',
    blocker: blocker('generator_unavailable', [`the sink ${sink.type} is not available in this version`]),
  };
}

function message(task: string): string {
  const [first = '', ...rest] = task.trim().split('\n');
  const subject = first.length > 72 ? `${first.slice(0, 71)}…` : first;
  return [
    subject || 'work of an agent',
    ...(rest.length > 0 || subject !== first ? ['', task.trim()] : []),
  ].join('\n');
}
