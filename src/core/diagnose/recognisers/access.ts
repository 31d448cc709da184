/** `ACCESS`: logins and keys that a remote service refuses, and permissions that this machine refuses. */
import { inOrder } from '../../text/in-order.ts';
import { oneOf } from '../../text/one-of.ts';
import { recogniser as r } from '../recogniser.ts';

export const ACCESS = [
  r('auth.ssh', 'auth_failure', {
    says: [
      /Permission denied \([\w,-]{0,80}(?:publickey|password|keyboard-interactive|gssapi)[\w,-]{0,80}\)/i,
      oneOf(
        /Host key verification failed|REMOTE HOST IDENTIFICATION HAS CHANGED|No \S{1,200} host key is known/i,
        /Too many authentication failures|no matching host key|Authentication failed for '/i,
        /Load key .{0,80}(?:invalid format|error in libcrypto)|no supported authentication methods/i,
      ),
    ],
    alone: 0.9,
    cause: 'The server does not accept this login',
  }),
  r('auth.key', 'auth_failure', {
    says: [
      oneOf(
        /bad credentials/i,
        /invalid (?:username or (?:password|token)|credentials?\b|login|api[ _-]?key|x-api-key|authentication|access token)/i,
        /invalid (?:bearer token|auth token|token\b|client(?:_id| id| secret))/i,
        /(?:incorrect|wrong|missing|no|malformed|revoked|unknown) (?:api[ _-]?key|access key|credentials)/i,
        /(?:incorrect|wrong|missing|no|malformed|revoked|unknown) (?:auth(?:entication|orization)? (?:token|header)|password)/i,
        /invalid_api_key|api[ _-]?key (?:is |was )?(?:not valid|invalid|missing|expired|required|not (?:found|set|provided))/i,
        /API key not valid/i,
      ),
      oneOf(
        /authentication_error|AuthenticationError|UnauthorizedError|UnauthenticatedError|AuthenticationException/i,
        /NotAuthenticated|AuthError\b|Unauthenticated\b|UNAUTHENTICATED/i,
        /authentication (?:is )?(?:failed|required|error|failure)|failed to authenticate|could not authenticate/i,
        /auth(?:entication|orization)? failed|login (?:failed|required|incorrect|expired)|not logged in/i,
        /please (?:run )?[`"']?(?:\/login|log ?in|sign in|authenticate)|must be (?:logged in|authenticated)/i,
        /requires authentication|no auth(?:entication)? credentials|not authenticated/i,
      ),
      oneOf(
        inOrder(
          /(?:token|credential|session|login|key|password)s? /i,
          /(?:has |have |is |was |included in the request {1,20}is )?(?:been )?(?:expired|revoked|invalid|rejected)/i,
        ),
        /SecKeychain|sign in again|log ?in again|could not be refreshed|ExpiredToken|InvalidClientTokenId/i,
        /UnrecognizedClientException|SignatureDoesNotMatch|InvalidAccessKeyId|invalid_grant|invalid_client|jwt expired/i,
        /JsonWebTokenError|token expired|Unable to locate credentials|NoCredentialsError|NoCredentialProviders/i,
        /could not (?:find|load) (?:the )?(?:default )?credentials|DefaultCredentialsError|CredentialsProviderError/i,
        /InvalidAuthenticationToken|valid credential sources|cached credentials|have an active account|set an Auth method/i,
        /credentials? (?:were |was )?not found/i,
      ),
      oneOf(
        /could not read (?:Username|Password) for|terminal prompts disabled|password authentication failed|no password supplied/i,
        /Access denied for user|Login failed for user|NOAUTH|WRONGPASS|SCRAM.{0,40}(?:failed|invalid)|no pg_hba\.conf entry/i,
        /role "[^"]{0,100}" does not exist|Ident authentication failed|Peer authentication failed|AuthenticationFailed/i,
        /auth failed|code: 18\b|ORA-01017|denied: requested access|unauthorized: (?:authentication|incorrect)/i,
        /pull access denied|no basic auth credentials|authorization failed/i,
      ),
      oneOf(
        inOrder(
          [
            /ANTHROPIC|OPENAI|GEMINI|GOOGLE|AWS|AZURE|GITHUB|GH|HF|HUGGINGFACE|COHERE|MISTRAL|GROQ|OPENROUTER|NPM/i,
            /PYPI|DEEPSEEK|XAI/i,
          ],
          /_?[A-Z_]{0,80}(?:KEY|TOKEN|SECRET|CREDENTIALS)[A-Z_]{0,80}\b.{0,60}/i,
          /(?:is not set|not set|must be set|missing|required|environment variable)/i,
        ),
        /api_key client option must be set|set (?:the|your|a) (?:[\w ]{0,20})?API key|api key (?:must|needs)/i,
        /Missing credentials|Could not resolve authentication method|GH_TOKEN environment variable|gh auth login|set an API key/i,
      ),
      oneOf(
        /SAML enforcement|SSO (?:authorization )?required|organization has (?:enabled|enforced)|two-factor/i,
        /does not have access to (?:model|this)/i,
        /you do not have (?:access|permission) to (?:access|use|view) (?:this|the) (?:model|resource|repository|project)/i,
        /not authorized to (?:perform|access)|(?<!file\.)AccessDenied(?:Exception)?\b|access_denied|PERMISSION_DENIED/i,
        /PermissionDeniedError|insufficient[_ ]scope|Resource not accessible by/i,
        /Forbidden\b.{0,40}(?:token|scope|project|resource|cannot|user)|is forbidden: User|missing scope|permission_error/i,
        /InsufficientPermissions|Proxy Authentication Required/i,
      ),
      oneOf(
        /Permission to \S{1,200} denied to|remote: Permission to|You are not allowed to (?:push|upload|access)/i,
        /access rights\b.{0,20}$|You don't have permission to (?:publish|push|access)|You must be logged in to|\bENEEDAUTH\b/i,
        /\bE401\b|\bE403\b|\bEOTP\b|one-time pass/i,
      ),
    ],
    alone: 0.6,
    unless: oneOf(
      /protected branch|\bEACCES\b|Errno 13|auth(?:entication)? failed ok|read-?only file system/i,
      /tokens? (?:limit|count|usage)|unexpected token|invalid token (?:in|at)|token is invalid json/i,
      /Please make sure you have the correct access rights/i,
    ),
    cause: '{host|The service} refuses the credentials',
  }),
  r('permission.agent', 'permission_denied', {
    says: oneOf(
      /requested permissions? (?:to|for) .{1,300}(?:haven't|have not|hasn't|has not|not) (?:been )?granted/i,
      /(?:tool|command|edit|write|action) (?:use )?(?:was )?(?:rejected|declined|denied|not approved) by the (?:user|person|policy)/i,
      /(?:doesn't|does not|didn't|did not) want to (?:proceed with|take) this (?:tool use|action)/i,
      /(?:requires?|needs?|waiting for|pending) (?:the )?(?:user's |your )?(?:approval|permission|confirmation)\b/i,
    ),
    alone: 0.6,
    cause: 'The agent was not given the permission it asked for: {message}',
  }),
  r('permission.local', 'permission_denied', {
    says: [
      oneOf(
        /\bEACCES\b|\bEPERM\b|\bEROFS\b|\[Errno 13\]|\[Errno 1\] Operation|\[Errno 30\]|os error 13|os error 30/i,
        /Permission denied|Operation not permitted|read-?only file ?system|Read-only file system/i,
      ),
      oneOf(
        /AccessDeniedException|UnauthorizedAccessException|access (?:to the path|is) .{0,120}denied|Access is denied/i,
        /insufficient (?:privileges?|permissions?)|must be (?:run as )?(?:root|owner|superuser)|are you root/i,
        /requires? (?:root|superuser|elevated)|not permitted|you cannot perform this operation unless you are root/i,
        /superuser privileges?|need root/i,
      ),
      oneOf(
        /permission denied for (?:table|relation|schema|database|sequence|function|view|column)|must be owner of/i,
        /(?:SELECT|INSERT|UPDATE|DELETE|CREATE|DROP|ALTER) command denied|attempt to write a readonly database/i,
        /readonly database|not allowed to (?:access|perform|read|write)|NOPERM|42501/i,
      ),
      oneOf(
        /sandbox(?:ed)?\b.{0,60}(?:denied|blocked|not allowed|violation|refused|forbid)/i,
        /denied by (?:policy|sandbox|the user|user|permission)|blocked by (?:policy|sandbox)/i,
        /(?:tool|command|action) (?:use |call )?(?:was |is )?(?:denied|not allowed|blocked)|requires approval/i,
        /permission (?:to use|for tool)|ERR_ACCESS_DENIED|Access to this API has been restricted|Requires \w{1,80} access to/i,
        /NotCapable|can't (?:create|open|write).{0,80}: Permission/i,
        /(?:cannot|can't|could not|unable to|failed to) (?:open|create) .{1,200} for (?:writing|output|append)/i,
      ),
      oneOf(
        /is blocked\. Run |[Rr]un [`'"]?[\w-]{1,30} (?:allow|trust)\b|is not in the sudoers file|(?:do you|one you) trust/i,
        /trust the (?:files|authors|folder)|untrusted (?:folder|workspace|directory)|sudo: a (?:password|terminal) is required/i,
        /no new privileges|Not writable|is not writable|not writeable|(?:has|have) been denied by|dubious ownership of file/i,
      ),
    ],
    alone: 0.5,
    unless: /\((?:publickey|password)|dubious ownership in repository/i,
    cause: 'This machine does not permit it: {path}',
  }),
];
