/**
 * `CONTEXT_RULES`: secrets that are recognised by the text around them: headers, cookies, addresses, arguments of programs. Every row has
 * an example, which `test/record/secret-forms.test.ts` plants. Patterns stay within a line and run in linear time: each begins with a
 * literal and every repetition has a limit.
 */
import { inOrder } from '../../core/text/in-order.ts';
import { isMixed, isValue } from './secret-context.ts';

export const CONTEXT_RULES_REVIEWED = '2026-11-15';

export interface ContextRule {
  readonly name: string;
  /** Small letters. At least one of these must occur, or the pattern is not tried: searching for literals is much cheaper. */
  readonly hints: readonly string[];
  /** The group `secret` is the secret. */
  readonly pattern: RegExp;
  /** A last look at a match, against look-alikes. */
  readonly accepts?: (secret: string) => boolean;
  /** `{secret}` stands for it. */
  readonly example: string;
  readonly source: string;
}

const SCHEMES = 'basic|bearer|token|digest|negotiate|apikey';
/** One argument of a command line, quoted or not. */
const ARGUMENT = `(?:"(?<double>[^"\\n]{1,256})|'(?<single>[^'\\n]{1,256})|(?<secret>[^\\s"'\`;|&)]{1,256}))`;
const isNoPort = (secret: string): boolean => isValue(secret) && !/^\d{1,5}(?:[:/].*)?$/.test(secret);

/** `PROGRAM ... FLAG SECRET` within one command. */
function argument(program: string, flag: string, source: string, example: string, pair = ''): ContextRule {
  const value = pair === '' ? ARGUMENT : `["']?${pair}(?<secret>[^\\s"'\`;|&)]{1,256})`;
  return {
    name: 'argument',
    hints: flag
      .split('|')
      .map((one) => /^-*[\w-]+/.exec(one)?.[0] ?? one)
      .map((one) => ` ${one.toLowerCase()}`),
    pattern: new RegExp(`(?<![\\w.-])(?:${program})(?=\\s)[^|;&\\n]{0,400}?\\s(?:${flag})${value}`, 'dg'),
    accepts: isNoPort,
    example,
    source,
  };
}

export const CONTEXT_RULES: readonly ContextRule[] = [
  {
    name: 'url-password',
    hints: ['://'],
    pattern: /:\/\/[^\s/?#:@'"\\]{0,128}:(?<secret>[^\s/?#'"\\]{1,256}|[^\s?#@'"\\]{1,256})@(?=[\w.[-])/dg,
    accepts: isNoPort,
    example: 'postgres://app:{secret}@db.internal:5432/x',
    source: 'RFC 3986',
  },
  {
    name: 'authorization',
    hints: ['authorization'],
    pattern: new RegExp(
      `authorization\\\\?["']?[ \\t]{0,8}[:=][ \\t]{0,8}\\\\?["']?(?:(?:${SCHEMES})[ \\t]{1,8})?(?<secret>[^\\s"'\\\\,;]{6,8192})`,
      'dgi',
    ),
    accepts: (secret) => isValue(secret) && !new RegExp(`^(?:${SCHEMES})$`, 'i').test(secret),
    example: 'Authorization: Basic {secret}',
    source: 'RFC 9110',
  },
  {
    name: 'authorization',
    hints: ['bearer '],
    pattern: /(?<![\w-])bearer (?<secret>[\w.~+/=-]{16,8192})/dgi,
    accepts: (secret) => isValue(secret) && isMixed(secret),
    example: 'sent bearer {secret} to it',
    source: 'RFC 6750',
  },
  {
    name: 'header',
    hints: ['-key', '-token', '-secret'],
    pattern: new RegExp(
      `(?<![\\w/-])(?:${[
        '(?:x-)?api-key',
        'x-goog-api-key',
        'x-(?:auth|access|csrf|xsrf|gitlab|vault|amz-security|functions|shopify-access|session)-(?:token|key)',
        'private-token',
        'job-token',
        'ocp-apim-subscription-key',
        'x-hub-secret',
      ].join('|')})\\\\?["']?[ \\t]{0,8}[:=][ \\t]{0,8}\\\\?["']?(?<secret>[^\\s"'\\\\,;]{6,8192})`,
      'dgi',
    ),
    accepts: isValue,
    example: 'X-Api-Key: {secret}',
    source: 'documentation of the services',
  },
  {
    name: 'cookie',
    hints: ['cookie'],
    pattern: inOrder(/(?<![\w-])(?:set-)?cookie\\?["']?[ \t]{0,8}:[ \t]{0,8}\\?["']?/dgi, {
      secret:
        /[\w!#$%&*+.^|~-]{1,128}=[^\s"'\\;]{4,4096}(?:;[ ]?[\w!#$%&*+.^|~-]{1,128}=[^\s"'\\;]{0,4096}){0,32}/dgi,
    }),
    accepts: (secret) => isValue(secret.slice(secret.indexOf('=') + 1)),
    example: 'Cookie: theme=dark; sid={secret}',
    source: 'RFC 6265',
  },
  argument('curl|wget|xh', '-b\\s{0,2}|--cookie[ =]', 'man curl', "curl -b 'sid={secret}' https://x.test"),
  argument(
    'curl|wget|xh',
    '-u\\s{0,2}|--user[ =]|-U\\s{0,2}|--proxy-user[ =]|-a\\s{1,2}|--auth[ =]',
    'man curl',
    'curl -u alice:{secret} https://x.test',
    '[^\\s:"\']{0,128}:',
  ),
  argument(
    'mysql|mysqldump|mysqladmin|mysqlimport|mariadb|mariadb-dump|mycli',
    '-p',
    'man mysql',
    'mysql -h db -u root -p{secret} shop',
  ),
  argument('sshpass', '-p\\s{0,2}', 'man sshpass', 'sshpass -p {secret} ssh me@host'),
  argument(
    'redis-cli|valkey-cli',
    '-a\\s{1,2}|--pass\\s{1,2}',
    'man redis-cli',
    'redis-cli -a {secret} ping',
  ),
  argument(
    'docker login|podman login|helm registry login|az login|oc login',
    '-p\\s{1,2}|--password[ =]',
    'docker docs',
    'docker login -u me -p {secret} host.test',
  ),
  argument(
    'ldapsearch|ldapadd|ldapmodify|ldapwhoami',
    '-w\\s{1,2}',
    'man ldapsearch',
    'ldapsearch -x -w {secret} -b dc=x',
  ),
  argument(
    'openssl',
    '-passin\\s{1,2}|-passout\\s{1,2}|-pass\\s{1,2}',
    'man openssl',
    'openssl rsa -passin pass:{secret} -in k',
    'pass:',
  ),
  {
    name: 'netrc',
    hints: ['password'],
    pattern: /(?<![\w-])(?:login|account)[ \t]+\S{1,128}[ \t]+password[ \t]+(?<secret>\S{3,256})/dg,
    accepts: isValue,
    example: 'machine api.test login me password {secret}',
    source: 'man netrc',
  },
  {
    name: 'netrc',
    hints: ['password'],
    pattern: /^[ \t]{0,16}password[ \t]{1,8}(?<secret>\S{6,256})[ \t]{0,16}$/dgm,
    accepts: (secret) => isValue(secret) && isMixed(secret),
    example: '  password {secret}',
    source: 'man netrc',
  },
  {
    name: 'pgpass',
    hints: [':5432:', ':*:'],
    pattern: /:(?:5432|\*):[^\s:]{1,128}:[^\s:]{1,128}:(?<secret>[^\s:]{6,256})/dg,
    accepts: (secret) => isValue(secret) && isMixed(secret),
    example: 'db.internal:5432:shop:app:{secret}',
    source: 'PostgreSQL manual, The Password File',
  },
  {
    name: 'argument',
    hints: ['set -'],
    pattern:
      /(?<![\w-])set -[a-zA-Z]{1,6} \w{0,64}(?:TOKEN|SECRET|PASS|PASSWORD|PASSWD|KEY) ["']?(?<secret>[^\s"';|&)]{6,256})/dg,
    accepts: isValue,
    example: 'set -gx API_TOKEN {secret}',
    source: 'fish manual, set',
  },
  {
    name: 'sql-password',
    hints: ['identified by', 'password'],
    pattern: /(?:identified by|password)[ \t]{1,8}'(?<secret>[^'\n]{4,256})'/dgi,
    accepts: isValue,
    example: "CREATE USER app IDENTIFIED BY '{secret}'",
    source: 'MySQL and PostgreSQL manuals',
  },
  {
    name: 'signed-url',
    hints: ['sig=', 'signature=', 'x-amz-credential='],
    pattern: /[?&](?:sig|signature|x-(?:amz|goog)-(?:signature|credential))=(?<secret>[\w%+/.=-]{20,512})/dgi,
    example: 'https://x.blob.test/f?sv=2024&sig={secret}',
    source: 'documentation of the clouds',
  },
  {
    name: 'webhook',
    hints: ['hook', 'robot'],
    pattern: new RegExp(
      `(?:${[
        'hooks\\.slack\\.com/(?:services|workflows|triggers)/',
        'discord(?:app)?\\.com/api/(?:v\\d{1,2}/)?webhooks/',
        'webhook\\.office\\.com/webhookb2/',
        'hooks\\.zapier\\.com/hooks/catch/',
        'hook\\.(?:us|eu)\\d\\.make\\.com/',
        'open\\.(?:feishu\\.cn|larksuite\\.com)/open-apis/bot/v2/hook/',
      ].join('|')})(?<secret>[\\w/@.-]{16,400})`,
      'dg',
    ),
    example: 'https://discord.com/api/webhooks/123456789012345678/{secret}',
    source: 'documentation of the services',
  },
  {
    name: 'azure-secret',
    hints: ['q~'],
    pattern: /(?<![\w~.])(?<secret>[\w~.]{3}\dQ~[\w~.-]{31,34})(?![\w~.-])/dg,
    example: '{secret}',
    source: 'Microsoft Entra docs',
  },
  {
    name: 'telegram-token',
    hints: [':aa'],
    pattern: /(?:(?<![\w-])|(?<=bot))(?<secret>\d{8,10}:AA[\w-]{30,64})/dg,
    example: 'https://api.telegram.org/bot{secret}/getMe',
    source: 'Telegram bot API',
  },
  {
    name: 'terraform-token',
    hints: ['.atlasv1.'],
    pattern: /(?<![\w.-])(?<secret>\w{10,20}\.atlasv1\.[\w-]{50,80})/dg,
    example: '{secret}',
    source: 'Terraform Cloud docs',
  },
];
