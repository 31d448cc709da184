import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { httpProvider } from '../../../src/agents/opinion/http-provider.ts';
import { ModelServer } from '../../../tools/model-server/model-server.ts';

const clean: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of clean.splice(0)) await step();
});
const never = new AbortController().signal;

async function served(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  clean.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const provider = (url: string) => httpProvider({ protocol: 'anthropic', url, model: 'm' }, 'k');

describe('a model over HTTP', () => {
  it.each(['anthropic', 'openai'] as const)(
    'answers one request of %s, and tells its tokens and no price',
    async (protocol) => {
      const server = await ModelServer.start({
        rules: [{ reply: { text: '{"a":1}', input_tokens: 900, output_tokens: 30 } }],
      });
      clean.push(() => server.close());
      const asked = httpProvider({ protocol, url: server.url, model: 'm' }, 'k');
      expect(await asked.ask('why?', never)).toEqual({ text: '{"a":1}', costUsd: null, tokens: 930 });
      expect(server.requests).toHaveLength(1);
    },
  );

  it('a page of the network in place of an answer is no reply', async () => {
    const url = await served((_, response) => response.end('<html>sign in</html>'));
    await expect(provider(url).ask('why?', never)).rejects.toThrow('no JSON');
  });

  it('an endless answer is no reply', async () => {
    const url = await served((_, response) => {
      const pour = () => {
        while (response.write('x'.repeat(65_536)));
      };
      response.on('drain', pour);
      pour();
    });
    await expect(provider(url).ask('why?', never)).rejects.toThrow('too long');
  });

  it('is not followed to another address, which would get the key', async () => {
    const url = await served((_, response) => {
      response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
    });
    await expect(provider(url).ask('why?', never)).rejects.toThrow();
  });

  it('is let go when the asker stops', async () => {
    const url = await served(() => undefined);
    const stop = new AbortController();
    const asked = provider(url).ask('why?', stop.signal);
    stop.abort();
    await expect(asked).rejects.toThrow(/abort/i);
  });

  it('a refusal is told by its status', async () => {
    const url = await served((_, response) => response.writeHead(401).end());
    await expect(provider(url).ask('why?', never)).rejects.toThrow('status 401');
  });
});
