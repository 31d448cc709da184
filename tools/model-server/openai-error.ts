/** `openAiError`: an error document of the OpenAI APIs. */
import type { StatusFault } from './wire.ts';

const OVERLOADED = ['server_error', 'server_is_overloaded', 'The server is currently overloaded'] as const;
const ERRORS: Readonly<Record<number, readonly [type: string, code: string, message: string]>> = {
  400: [
    'invalid_request_error',
    'context_length_exceeded',
    "This model's maximum context length is 128000 tokens. However, your messages resulted in 215000 tokens.",
  ],
  401: ['invalid_request_error', 'invalid_api_key', 'Incorrect API key provided'],
  403: ['invalid_request_error', 'permission_denied', 'You have insufficient permissions for this operation'],
  429: ['requests', 'rate_limit_exceeded', 'Rate limit reached for requests'],
  500: ['server_error', 'server_error', 'The server had an error while processing your request'],
  503: OVERLOADED,
  529: OVERLOADED,
};

export function openAiError(fault: StatusFault): Readonly<Record<string, unknown>> {
  const [type, code, message] = ERRORS[fault.status] ?? ['server_error', 'unknown', `Status ${fault.status}`];
  return {
    error: {
      message: fault.message ?? message,
      type: fault.error_type ?? type,
      param: null,
      code: fault.message === undefined ? code : null,
    },
  };
}
