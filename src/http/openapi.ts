/** `openApi`: the OpenAPI document of the API, made from the table of routes. */
import { z } from 'zod';
import { CSRF_HEADER } from './guard.ts';
import { ROUTES } from './routes.ts';

export function openApi(version: string) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { method, path, role, summary, input, media = 'application/json' } of ROUTES) {
    const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name as string);
    const schema = z.toJSONSchema(input, { io: 'input' }) as { properties?: Record<string, unknown> };
    const inPath = names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
    const inQuery =
      method === 'GET'
        ? Object.entries(schema.properties ?? {}).map(([name, one]) => ({ name, in: 'query', schema: one }))
        : [];
    (paths[path.replaceAll(/:(\w+)/g, '{$1}')] ??= {})[method.toLowerCase()] = {
      summary,
      'x-role': role,
      parameters: [...inPath, ...inQuery],
      ...(method === 'POST' ? { requestBody: { content: { 'application/json': { schema } } } } : {}),
      responses: {
        200: { description: 'done', content: { [media]: {} } },
        default: { description: 'a problem document', content: { 'application/problem+json': {} } },
      },
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: "Mayday's desk",
      version,
      description: `Changes need the header ${CSRF_HEADER}, or a bearer token.`,
    },
    paths,
  };
}
