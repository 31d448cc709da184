/**
 * Shapes of secrets that can be told from ordinary text by themselves. Every rule runs in linear time: it begins with a
 * literal at the start of a word, so that a long run of its own characters is scanned once, and every repetition that
 * is not such a run has a limit. They stay within a line.
 */
export interface SecretRule {
  readonly name: string;
  /** At least one of these must occur, or the pattern is not tried: searching for literals is much cheaper. */
  readonly hints: readonly string[];
  /** The whole match is the secret, or its group `secret` where there is one. */
  readonly pattern: RegExp;
  /** A last look at a match, against look-alikes. */
  readonly accepts?: (secret: string) => boolean;
}

/** Not in the middle of a word; an escaped line end (`\n` inside JSON text) counts as a border. */
const BORDER = String.raw`(?:(?<![\w-])|(?<=\\[nrt]))`;

function token(
  name: string,
  hints: readonly string[],
  body: string,
  accepts?: SecretRule['accepts'],
): SecretRule {
  const pattern = new RegExp(`${BORDER}(?:${body})`, 'gd');
  return accepts === undefined ? { name, hints, pattern } : { name, hints, pattern, accepts };
}

/** Random keys mix digits with letters of both cases; CSS classes and slugs that look alike do not. */
const looksRandom = (text: string): boolean => /\d/.test(text) && /[a-z]/.test(text) && /[A-Z]/.test(text);

export const SECRET_RULES: readonly SecretRule[] = [
  token('age-key', ['AGE-SECRET-KEY-'], 'AGE-SECRET-KEY-1[0-9A-Z]{50,}'),
  token(
    'aws-access-key',
    ['AKIA', 'ASIA', 'ABIA', 'ACCA'],
    '(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}(?![A-Za-z0-9])',
  ),
  token(
    'github-token',
    ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'],
    '(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\\w{22,})',
  ),
  token(
    'gitlab-token',
    ['glpat-', 'gldt-', 'glrt-', 'glcbt-', 'glptt-', 'glft-', 'glsoat-'],
    'gl(?:pat|dt|rt|cbt|ptt|ft|soat)-[\\w.-]{20,}',
  ),
  token('anthropic-key', ['sk-ant-'], 'sk-ant-[\\w-]{16,}'),
  token('openrouter-key', ['sk-or-'], 'sk-or-[\\w-]{32,}'),
  token('openai-key', ['sk-'], 'sk-(?!ant-|or-)[\\w-]{20,}', looksRandom),
  token(
    'google-key',
    ['AIza', 'ya29.', 'GOCSPX-'],
    '(?:AIza[\\w-]{35,}|ya29\\.[\\w-]{20,}|GOCSPX-[\\w-]{20,})',
  ),
  token(
    'slack-token',
    ['xoxa-', 'xoxb-', 'xoxe', 'xoxo-', 'xoxp-', 'xoxr-', 'xoxs-', 'xapp-'],
    '(?:xox[aboprs]|xoxe(?:\\.xox[bp])?|xapp)-[\\w-]{10,}',
  ),
  {
    name: 'slack-webhook',
    hints: ['hooks.slack.com/'],
    pattern: /hooks\.slack\.com\/(?:services|workflows|triggers)\/(?<secret>[\w/-]{20,200})/dg,
  },
  token(
    'stripe-key',
    ['k_live_', 'k_test_', 'whsec_'],
    '(?:[srp]k_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/=]{24,})',
  ),
  token('npm-token', ['npm_'], 'npm_[A-Za-z0-9]{36,}'),
  token('pypi-token', ['pypi-'], 'pypi-[\\w-]{50,}'),
  token('huggingface-token', ['hf_'], 'hf_[A-Za-z0-9]{30,}'),
  token('sendgrid-key', ['SG.'], 'SG\\.[\\w-]{16,64}\\.[\\w-]{16,}'),
  token('digitalocean-token', ['_v1_'], 'do[opr]_v1_[a-f0-9]{64,}'),
  token('vault-token', ['hvs.', 'hvb.'], 'hv[sb]\\.[\\w-]{24,}'),
  token('docker-token', ['dckr_pat_'], 'dckr_pat_[\\w-]{20,}'),
  token('groq-key', ['gsk_'], 'gsk_[A-Za-z0-9]{40,}'),
  token('xai-key', ['xai-'], 'xai-[A-Za-z0-9]{60,}'),
  token('linear-key', ['lin_api_'], 'lin_api_[A-Za-z0-9]{30,}'),
  token('shopify-token', ['shpat_', 'shpca_', 'shppa_', 'shpss_'], 'shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32,}'),
  token('telegram-token', [':AA'], '\\d{8,10}:AA[\\w-]{30,}'),
  token('jwt', ['eyJ'], 'eyJ[\\w-]{8,}\\.eyJ[\\w-]{8,}(?:\\.[\\w-]*)?'),
];
