import { geminiAdapter } from '../../../src/agents/gemini/gemini-adapter.ts';
import { describeAdapterContract } from '../contract.ts';

describeAdapterContract(geminiAdapter, 'gemini', {
  '401': { class: 'auth_failure', status: 401 },
  '429': { class: 'rate_limited', status: 429 },
  '429_retryafter3600': { class: 'crashed' },
  '500': { class: 'overloaded', status: 500 },
  '529': { class: 'overloaded', status: 503 },
  '529once': { class: null },
  ctx: { class: 'context_overflow', status: 400 },
  drop: { class: 'network_failure' },
  drop0: { class: 'network_failure' },
  hooks_mcp: { class: null },
  hotel: { class: 'network_failure' },
  loop: { class: 'looping' },
  ok: { class: null },
  quota: { class: 'rate_limited', status: 429 },
  resume_after_SIGKILL: { class: null },
  slowtool_SIGINT: { class: 'crashed', open: 1 },
  slowtool_SIGINT_norelaunch: { class: 'interrupted', open: 1 },
  slowtool_SIGKILL: { class: 'crashed', open: 1 },
  slowtool_SIGKILL_norelaunch: { class: 'crashed', open: 1 },
  slowtool_SIGTERM: { class: 'crashed', open: 1 },
  slowtool_SIGTERM_norelaunch: { class: 'interrupted', open: 1 },
  stall: { class: 'crashed' },
  stall0: { class: 'network_failure' },
  stall_SIGINT_norelaunch: { class: 'interrupted' },
});
