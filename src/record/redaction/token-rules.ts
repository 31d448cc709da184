/**
 * `TOKEN_RULES`: tokens that are recognised by their first characters: prefixes, what may follow, how much of it. To add one: a row with
 * an example and where its form is described; `test/record/secret-forms.test.ts` plants every example. Review the table twice a year.
 */
export const TOKEN_RULES_REVIEWED = '2026-11-15';

/** What may follow the prefix. */
export type TokenBody = 'letters' | 'hex' | 'capitals' | 'word' | 'dotted' | 'base64' | 'jwt';

export interface TokenRule {
  readonly name: string;
  readonly prefixes: readonly string[];
  readonly body: TokenBody;
  /** Fewest characters after the prefix. */
  readonly min: number;
  /** `{n}` stands for n random characters, so that no scanner takes this file for a leak. */
  readonly example: string;
  /** Where the form is described. */
  readonly source: string;
  /**
   * What follows must mix digits with letters of both cases: the prefix is also a part of words. Where a token of any
   * rule is glued to a word it must look so, or be hexadecimal.
   */
  readonly random?: true;
  /** Most characters after the prefix, where the length is fixed. */
  readonly max?: number;
  /** The prefix is the end of ordinary words (`task-`): it counts only where a word begins. */
  readonly startsWord?: true;
}

// biome-ignore format: a table is read by its columns
export const TOKEN_RULES: readonly TokenRule[] = [
  { name: 'age-key', prefixes: ['AGE-SECRET-KEY-1'], body: 'capitals', min: 50,
    example: 'AGE-SECRET-KEY-1{58}', source: 'age specification' },
  { name: 'airtable-token', prefixes: ['pat'], body: 'dotted', min: 70, random: true, startsWord: true,
    example: 'pat{14}.{64}', source: 'Airtable developer docs' },
  { name: 'alibaba-key', prefixes: ['LTAI'], body: 'letters', min: 16, random: true, startsWord: true,
    example: 'LTAI{20}', source: 'Alibaba Cloud RAM docs' },
  { name: 'anthropic-key', prefixes: ['sk-ant-'], body: 'word', min: 16, example: 'sk-ant-api03-{80}', source: 'Anthropic docs' },
  { name: 'atlassian-token', prefixes: ['ATATT3xFf', 'ATCTT3xFf', 'ATBB'], body: 'base64', min: 24,
    example: 'ATATT3xFf{180}', source: 'Atlassian support' },
  { name: 'aws-access-key', prefixes: ['AKIA', 'ASIA', 'ABIA', 'ACCA'], body: 'capitals', min: 16, max: 16,
    example: 'AKIA{16}', source: 'AWS IAM identifiers' },
  { name: 'brevo-key', prefixes: ['xkeysib-', 'xsmtpsib-'], body: 'word', min: 64,
    example: 'xkeysib-{64}-{16}', source: 'Brevo developer docs' },
  { name: 'buildkite-token', prefixes: ['bkua_', 'bkaj_', 'bkpat_'], body: 'letters', min: 32,
    example: 'bkua_{40}', source: 'Buildkite docs' },
  { name: 'circleci-token', prefixes: ['CCIPAT_', 'CCIPRJ_'], body: 'word', min: 40, example: 'CCIPAT_{22}_{40}', source: 'CircleCI docs' },
  { name: 'clojars-token', prefixes: ['CLOJARS_'], body: 'letters', min: 50, example: 'CLOJARS_{60}', source: 'Clojars wiki' },
  { name: 'contentful-token', prefixes: ['CFPAT-'], body: 'word', min: 40, example: 'CFPAT-{43}', source: 'Contentful docs' },
  { name: 'databricks-token', prefixes: ['dapi', 'dose', 'dkea'], body: 'hex', min: 32, example: 'dapi{32}', source: 'Databricks docs' },
  { name: 'deno-token', prefixes: ['ddp_', 'ddo_'], body: 'letters', min: 36, example: 'ddp_{36}', source: 'Deno Deploy docs' },
  { name: 'digitalocean-token', prefixes: ['dop_v1_', 'doo_v1_', 'dor_v1_'], body: 'hex', min: 64,
    example: 'dop_v1_{64}', source: 'DigitalOcean docs' },
  { name: 'docker-token', prefixes: ['dckr_pat_', 'dckr_oat_'], body: 'word', min: 20, example: 'dckr_pat_{27}', source: 'Docker docs' },
  { name: 'doppler-token', prefixes: ['dp.pt.', 'dp.st.', 'dp.ct.', 'dp.sa.', 'dp.scim.', 'dp.audit.'], body: 'dotted', min: 40,
    example: 'dp.pt.{43}', source: 'Doppler docs' },
  { name: 'dynatrace-token', prefixes: ['dt0c01.', 'dt0s16.'], body: 'dotted', min: 80,
    example: 'dt0c01.{24}.{64}', source: 'Dynatrace docs' },
  { name: 'figma-token', prefixes: ['figd_', 'figu_'], body: 'word', min: 38, example: 'figd_{40}', source: 'Figma developer docs' },
  { name: 'fly-token', prefixes: ['fm1_', 'fm2_', 'fm1r_', 'fo1_'], body: 'base64', min: 40, example: 'fm2_{100}', source: 'Fly.io docs' },
  { name: 'github-token', prefixes: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], body: 'letters', min: 36,
    example: 'ghp_{36}', source: 'GitHub docs' },
  { name: 'github-token', prefixes: ['github_pat_'], body: 'word', min: 22, example: 'github_pat_{22}_{59}', source: 'GitHub docs' },
  { name: 'gitlab-token', prefixes: ['glpat-', 'gldt-', 'glrt-', 'glrtr-', 'glcbt-', 'glptt-', 'glft-', 'glsoat-', 'glagent-',
      'glimt-', 'gloas-', 'glffct-', 'glwt-'], body: 'dotted', min: 20,
    example: 'glpat-{20}', source: 'GitLab docs, token prefixes' },
  { name: 'google-key', prefixes: ['AIza'], body: 'word', min: 35, example: 'AIza{35}', source: 'Google Cloud docs' },
  { name: 'google-key', prefixes: ['ya29.'], body: 'dotted', min: 20, example: 'ya29.{60}', source: 'Google identity docs' },
  { name: 'google-key', prefixes: ['GOCSPX-'], body: 'word', min: 20, example: 'GOCSPX-{28}', source: 'Google identity docs' },
  { name: 'grafana-token', prefixes: ['glsa_', 'glc_'], body: 'base64', min: 32, example: 'glsa_{32}_{8}', source: 'Grafana docs' },
  { name: 'groq-key', prefixes: ['gsk_'], body: 'letters', min: 40, example: 'gsk_{52}', source: 'Groq docs' },
  { name: 'heroku-key', prefixes: ['HRKU-'], body: 'word', min: 36, example: 'HRKU-AA{58}', source: 'Heroku changelog' },
  { name: 'hubspot-token', prefixes: ['pat-na1-', 'pat-na2-', 'pat-eu1-', 'pat-ap1-'], body: 'word', min: 36,
    example: 'pat-na1-{36}', source: 'HubSpot developer docs' },
  { name: 'huggingface-token', prefixes: ['hf_', 'api_org_'], body: 'letters', min: 30, example: 'hf_{34}', source: 'Hugging Face docs' },
  { name: 'jwt', prefixes: ['eyJ'], body: 'jwt', min: 20, example: 'eyJ{20}.eyJ{40}.{43}', source: 'RFC 7519' },
  { name: 'langsmith-key', prefixes: ['lsv2_pt_', 'lsv2_sk_'], body: 'word', min: 32,
    example: 'lsv2_pt_{32}_{10}', source: 'LangSmith docs' },
  { name: 'linear-key', prefixes: ['lin_api_', 'lin_oauth_'], body: 'letters', min: 30,
    example: 'lin_api_{40}', source: 'Linear developer docs' },
  { name: 'mailgun-key', prefixes: ['key-'], body: 'hex', min: 32, startsWord: true, example: 'key-{32}', source: 'Mailgun docs' },
  { name: 'netlify-token', prefixes: ['nfp_', 'nfo_', 'nfc_'], body: 'letters', min: 36, example: 'nfp_{36}', source: 'Netlify docs' },
  { name: 'newrelic-key', prefixes: ['NRAK-', 'NRII-', 'NRJS-'], body: 'word', min: 19, example: 'NRAK-{27}', source: 'New Relic docs' },
  { name: 'notion-token', prefixes: ['ntn_'], body: 'letters', min: 40, example: 'ntn_{46}', source: 'Notion developer docs' },
  { name: 'npm-token', prefixes: ['npm_'], body: 'letters', min: 36, example: 'npm_{36}', source: 'npm docs' },
  { name: 'onepassword-token', prefixes: ['ops_eyJ'], body: 'base64', min: 100,
    example: 'ops_eyJ{250}', source: '1Password developer docs' },
  { name: 'openai-key', prefixes: ['sk-proj-', 'sk-svcacct-', 'sk-admin-'], body: 'word', min: 20, random: true,
    example: 'sk-proj-{48}', source: 'OpenAI docs' },
  { name: 'openrouter-key', prefixes: ['sk-or-'], body: 'word', min: 32, example: 'sk-or-v1-{64}', source: 'OpenRouter docs' },
  { name: 'openai-key', prefixes: ['sk-'], body: 'word', min: 20, random: true, startsWord: true,
    example: 'sk-{48}', source: 'OpenAI docs; others use the same form' },
  { name: 'openshift-token', prefixes: ['sha256~'], body: 'word', min: 40, example: 'sha256~{43}', source: 'OpenShift docs' },
  { name: 'perplexity-key', prefixes: ['pplx-'], body: 'letters', min: 40, example: 'pplx-{48}', source: 'Perplexity docs' },
  { name: 'planetscale-token', prefixes: ['pscale_tkn_', 'pscale_pw_', 'pscale_oauth_'], body: 'dotted', min: 32,
    example: 'pscale_tkn_{43}', source: 'PlanetScale docs' },
  { name: 'postman-key', prefixes: ['PMAK-'], body: 'word', min: 50, example: 'PMAK-{24}-{34}', source: 'Postman docs' },
  { name: 'pulumi-token', prefixes: ['pul-'], body: 'hex', min: 40, example: 'pul-{40}', source: 'Pulumi docs' },
  { name: 'pypi-token', prefixes: ['pypi-'], body: 'word', min: 50, example: 'pypi-AgEI{60}', source: 'PyPI help' },
  { name: 'replicate-token', prefixes: ['r8_'], body: 'letters', min: 37, example: 'r8_{37}', source: 'Replicate docs' },
  { name: 'resend-key', prefixes: ['re_'], body: 'word', min: 24, random: true, startsWord: true,
    example: 're_{8}_{24}', source: 'Resend docs' },
  { name: 'rubygems-key', prefixes: ['rubygems_'], body: 'hex', min: 48, example: 'rubygems_{48}', source: 'RubyGems guides' },
  { name: 'sendgrid-key', prefixes: ['SG.'], body: 'dotted', min: 40, random: true, example: 'SG.{22}.{43}', source: 'SendGrid docs' },
  { name: 'sentry-token', prefixes: ['sntrys_', 'sntryu_', 'sntryi_'], body: 'base64', min: 48,
    example: 'sntryu_{64}', source: 'Sentry docs' },
  { name: 'shopify-token', prefixes: ['shpat_', 'shpca_', 'shppa_', 'shpss_', 'shptka_'], body: 'hex', min: 32,
    example: 'shpat_{32}', source: 'Shopify developer docs' },
  { name: 'slack-token', prefixes: ['xoxa-', 'xoxb-', 'xoxc-', 'xoxd-', 'xoxo-', 'xoxp-', 'xoxr-', 'xoxs-', 'xoxe-',
      'xoxe.xoxb-', 'xoxe.xoxp-', 'xapp-', 'xwfp-'], body: 'word', min: 10,
    example: 'xoxb-{12}-{24}', source: 'Slack API docs' },
  { name: 'sonar-token', prefixes: ['sqp_', 'squ_', 'sqa_'], body: 'hex', min: 40, example: 'squ_{40}', source: 'SonarQube docs' },
  { name: 'sourcegraph-token', prefixes: ['sgp_', 'slk_'], body: 'word', min: 40, random: true, startsWord: true,
    example: 'sgp_{16}_{40}', source: 'Sourcegraph docs' },
  { name: 'square-token', prefixes: ['sq0atp-', 'sq0csp-', 'sq0idp-'], body: 'word', min: 22,
    example: 'sq0csp-{43}', source: 'Square developer docs' },
  { name: 'stripe-key', prefixes: ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_', 'pk_live_', 'pk_test_'], body: 'letters', min: 16,
    example: 'sk_live_{24}', source: 'Stripe docs' },
  { name: 'stripe-key', prefixes: ['whsec_'], body: 'base64', min: 24, example: 'whsec_{32}', source: 'Stripe docs' },
  { name: 'supabase-token', prefixes: ['sbp_'], body: 'hex', min: 40, example: 'sbp_{40}', source: 'Supabase docs' },
  { name: 'supabase-token', prefixes: ['sb_secret_'], body: 'word', min: 24, example: 'sb_secret_{31}', source: 'Supabase docs' },
  { name: 'tailscale-key', prefixes: ['tskey-'], body: 'word', min: 20, random: true,
    example: 'tskey-auth-{12}-{32}', source: 'Tailscale docs' },
  { name: 'tavily-key', prefixes: ['tvly-'], body: 'word', min: 30, example: 'tvly-dev-{32}', source: 'Tavily docs' },
  { name: 'tencent-key', prefixes: ['AKID'], body: 'letters', min: 32, random: true, example: 'AKID{32}', source: 'Tencent Cloud docs' },
  { name: 'twilio-key', prefixes: ['SK'], body: 'hex', min: 32, max: 32, startsWord: true, example: 'SK{32}', source: 'Twilio docs' },
  { name: 'typeform-token', prefixes: ['tfp_'], body: 'word', min: 40, example: 'tfp_{59}', source: 'Typeform developer docs' },
  { name: 'vault-token', prefixes: ['hvs.', 'hvb.', 'hvr.'], body: 'word', min: 24, example: 'hvs.{90}', source: 'Vault docs' },
  { name: 'xai-key', prefixes: ['xai-'], body: 'letters', min: 60, example: 'xai-{80}', source: 'xAI docs' },
];
