/** The trace of a rescue at a collector that speaks OTLP/HTTP JSON. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { Notifier } from '../../../src/supervise/notify/notifier.ts';
import { collectorOf as collectorFor } from '../../../src/supervise/notify/otlp.ts';
import { FIGURES } from '../../../src/supervise/fleet-figures.ts';
import { RehearsalRepository } from '../../context/rehearsal-repository.ts';

const RESCUED = {
  attempts: [
    {
      steps: [
        { tool: { name: 'Bash', input: { command: 'npm test' }, result: '1 failed', error: true } },
        { write: { 'b.txt': 'B' } },
        { signal: 'SIGSEGV' as const },
      ],
    },
    { steps: [{ write: { 'a.txt': 'A' } }, { exit: 0 }] },
  ],
};

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, unknown> }[];
  readonly status: { readonly code: number };
}

test('a collector receives the trace of a rescue: run, attempts, tool, check and incident as spans of one trace', async () => {
  const place = await RehearsalRepository.make();
  const got: { readonly headers: IncomingHttpHeaders; readonly url: string; readonly text: string }[] = [];
  const server = createServer((request, answer) => {
    let text = '';
    request.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    request.once('end', () => {
      got.push({ headers: request.headers, url: request.url ?? '', text });
      answer.end('{}');
    });
  });
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  const env = {
    ...process.env,
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20x',
    OTEL_SERVICE_NAME: 'team-mayday',
  };
  const notifier = Notifier.open({ home: place.home, record: place.record, env }, {});
  await notifier?.collect();
  const { runId, incidents } = await place.run(RESCUED);
  expect(incidents).toHaveLength(1);
  await notifier?.collect();
  await notifier?.deliver();
  await notifier?.collect();
  await notifier?.deliver();
  expect(got).toMatchObject([{ url: '/v1/traces', headers: { authorization: 'Bearer x' } }]);
  const { resourceSpans } = JSON.parse(got[0]?.text ?? '') as {
    resourceSpans: { resource: unknown; scopeSpans: { spans: Span[] }[] }[];
  };
  expect(JSON.stringify(resourceSpans[0]?.resource)).toContain('team-mayday');
  const spans = resourceSpans[0]?.scopeSpans[0]?.spans ?? [];
  const named = (name: string) => spans.filter((span) => span.name.startsWith(name));
  const [root] = named(`run ${runId}`);
  expect(root).toMatchObject({ status: { code: 1 } });
  expect(root?.parentSpanId).toBeUndefined();
  const attempts = named('invoke_agent rehearsal');
  expect(attempts.map(({ parentSpanId }) => parentSpanId)).toEqual([root?.spanId, root?.spanId]);
  expect(attempts.map(({ status }) => status.code)).toEqual([2, 1]);
  expect(named('execute_tool Bash')).toMatchObject([
    {
      parentSpanId: attempts[0]?.spanId,
      status: { code: 2 },
      attributes: expect.arrayContaining([
        { key: 'gen_ai.operation.name', value: { stringValue: 'execute_tool' } },
        { key: 'gen_ai.tool.name', value: { stringValue: 'Bash' } },
      ]) as unknown,
    },
  ]);
  expect(named('incident crashed')).toMatchObject([{ parentSpanId: root?.spanId, status: { code: 1 } }]);
  expect(named('check ').length).toBeGreaterThan(0);
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
  expect(root?.traceId).toMatch(/^[\da-f]{32}$/);
  expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
  for (const span of spans)
    expect.soft(BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano), span.name).toBe(true);
  // What ends tells the figures of all runs too; two processes of this home tell them once.
  const other = Notifier.open({ home: place.home, record: place.record, env }, {});
  got.length = 0;
  const { signal } = new AbortController();
  await Promise.all([notifier?.finish(signal), other?.finish(signal)]);
  const told = got.filter(({ url }) => url === '/v1/metrics');
  expect(told).toMatchObject([{ headers: { authorization: 'Bearer x' } }]);
  const { resourceMetrics } = JSON.parse(told[0]?.text ?? '') as {
    resourceMetrics: { resource: unknown; scopeMetrics: { metrics: Record<string, unknown>[] }[] }[];
  };
  expect(JSON.stringify(resourceMetrics[0]?.resource)).toContain('team-mayday');
  const metrics = resourceMetrics[0]?.scopeMetrics[0]?.metrics ?? [];
  const figure = (name: string) => metrics.find((one) => one['name'] === name);
  const by = (key: string, stringValue: string) => ({
    attributes: [{ key, value: { stringValue } }],
    asDouble: 1,
  });
  expect(figure('mayday.runs')).toMatchObject({ gauge: { dataPoints: [by('state', 'delivered')] } });
  expect(figure('mayday.incidents')).toMatchObject({
    sum: { aggregationTemporality: 2, isMonotonic: true, dataPoints: [by('class', 'crashed')] },
  });
  expect(figure('mayday.rescues')).toMatchObject({ sum: { dataPoints: [{ asDouble: 1 }] } });
  expect(metrics).toHaveLength(FIGURES.length);
  server.closeAllConnections();
  server.close();
  await place.remove();
});

test('it is off unless a collector is named, and where the standard variables switch it off', () => {
  const named = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318/' };
  const collectorOf = (env: NodeJS.ProcessEnv) => collectorFor(env, 'traces');
  expect(collectorOf({})).toBeNull();
  expect(collectorOf(named)?.url).toBe('http://127.0.0.1:4318/v1/traces');
  expect(collectorOf({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://c/t' })?.url).toBe('http://c/t');
  expect(collectorOf({ ...named, OTEL_SDK_DISABLED: 'true' })).toBeNull();
  expect(collectorOf({ ...named, OTEL_TRACES_EXPORTER: 'none' })).toBeNull();
  expect(collectorOf({ ...named, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).toBeNull();
  expect(collectorFor(named, 'metrics')?.url).toBe('http://127.0.0.1:4318/v1/metrics');
  expect(collectorFor({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://c/t' }, 'metrics')).toBeNull();
  expect(collectorFor({ ...named, OTEL_METRICS_EXPORTER: 'none' }, 'metrics')).toBeNull();
  expect(collectorFor({ ...named, OTEL_TRACES_EXPORTER: 'none' }, 'metrics')).not.toBeNull();
});
