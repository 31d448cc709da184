import { opencodeAdapter } from '../../../src/agents/opencode/opencode-adapter.ts';
import { describeAdapterContract } from '../contract.ts';

describeAdapterContract(opencodeAdapter, 'opencode', {
  '401': { class: 'auth_failure', status: 401 },
  '429': { class: 'rate_limited', status: 429 },
  '429_retryafter3600': { class: 'crashed' },
  '500': { class: 'overloaded', status: 500 },
  '529': { class: 'overloaded', status: 503 },
  ctx: { class: 'crashed' },
  drop: { class: 'network_failure' },
  drop0: { class: 'network_failure' },
  hooks_mcp: { class: null },
  loop: { class: 'crashed' },
  loop_defaultperm: { class: 'crashed' },
  ok: { class: null },
  resume_after_SIGKILL: { class: null },
  slowtool_SIGINT: { class: 'interrupted' },
  slowtool_SIGKILL: { class: 'crashed' },
  slowtool_SIGTERM: { class: 'interrupted' },
  stall: { class: 'crashed' },
  stall0: { class: 'crashed' },
  stall_SIGINT: { class: 'crashed' },
  stall_SIGTERM: { class: 'crashed' },
});
