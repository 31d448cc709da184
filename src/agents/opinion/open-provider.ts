/** `openProvider`: the provider of an `OpinionChoice`, or why nobody can be asked. */
import { NOBODY, type OpinionChoice } from '../../core/vocabulary/opinion.ts';
import { findAdapter } from '../registry.ts';
import type { OpinionProvider } from './ask-opinion.ts';
import { httpProvider } from './http-provider.ts';
import { cliProvider, commandProvider, type Surroundings } from './program-provider.ts';

export function openProvider(choice: OpinionChoice, around: Surroundings): OpinionProvider | string {
  switch (choice.type) {
    case 'none':
      return NOBODY;
    case 'command':
      return commandProvider(choice.line, around);
    case 'http': {
      const key = around.env[choice.keyVariable] ?? '';
      return key === ''
        ? `${choice.keyVariable}, which holds the key, is not set`
        : httpProvider(choice, key);
    }
    case 'agent': {
      const adapter = findAdapter(choice.name);
      return adapter?.opinionCall === undefined
        ? `${choice.name} cannot be asked for an opinion`
        : cliProvider(choice, adapter, adapter.opinionCall, around);
    }
  }
}
