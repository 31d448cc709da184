/**
 * `roleOfProgram`: what a program is for, by its name. An unknown name is judged by its own words ("…test", "…lint") and by what it
 * prints.
 */
import { wordList } from '../text/word-list.ts';

const NAMES = {
  test: `
    pytest py.test jest vitest mocha ava tap jasmine karma cypress playwright wdio testcafe nightwatch rspec minitest cucumber phpunit
    pest codeception behat nose nose2 unittest doctest tox nox ctest gtest catch2 bats shunit2 busted prove newman k6 locust nextest
    testng junit robot behave hypothesis qunit uvu tape lab c8 nyc coverage detox mutmut stryker xctest gotestsum ginkgo tast kaocha
    eunit ct_run exunit paratest infection phpspec kahlan hspec-discover shellspec bashunit zunit lit FileCheck green ward stestr trial
    pabot gauge serenity codecept tasty poltergeist artillery japa poku zora baretest tstyche wtr web-test-runner backstop schemathesis
    dredd pact scalatest munit kotest spock ceedling criterion tarpaulin cargo-nextest cargo-mutants grcov gcovr kcov istanbul jacoco
    testthat tinytest pester luaunit test-kitchen inspec goss terratest molecule testinfra llvm-lit start-server-and-test maestro appium
    hurl venom bruno pitest cosmic-ray slipcover nunit xunit mstest ounit alcotest taurus gatling`,
  build: `
    tsc gcc g++ cc c++ clang clang++ javac kotlinc scalac rustc swiftc ghc go-build gfortran nasm yasm as ld make gmake ninja cmake
    meson bazel bazelisk buck2 ant mvn mvnw gradle gradlew sbt mill webpack rollup vite esbuild parcel swc babel turbo nx tsup snowpack
    rspack rsbuild rolldown msbuild dmd ldc2 nim zig crystal elixirc erlc ocamlc ocamlopt dune cabal stack fpc tinygo wasm-pack emcc
    sass less postcss tailwindcss protoc buf thrift flatc pdflatex latexmk xelatex pandoc sphinx-build mkdocs hugo jekyll next nuxt
    astro gatsby svelte-kit vue-cli-service ng autoconf automake configure scons waf premake xcodebuild qmake nvcc slangc glslc haxe elm
    purs rescript cython mypyc luac py_compile compileall terser uglifyjs docker-build bison flex m4 tectonic valac ldc gdc gnatmake
    gprbuild mcs csc vbc fsharpc mono-csc runghc-c bmake asciidoctor asciidoc dot typedoc unbuild microbundle ncc lessc coffee swig
    ragel antlr4 windres hatchling maturin cythonize ghdl iverilog verilator yosys stylus pug svelte-package ng-packagr gleam solc vyper
    truffle hardhat forge gulp grunt jsdoc doxygen ldoc mdbook antora vitepress docusaurus eleventy zola pelican bdist_wheel f2py tcc
    chibicc javap dx d8 aapt2 lualatex bibtex biber context typst groff troff asc wat2wasm wasm-opt peggy pegjs nearleyc jison pbjs
    openapi-typescript openapi-generator graphql-codegen orval svgo ptxas llc opt llvm-as llvm-mc llvm-link lld ld.lld mold javadoc
    jlink jpackage jar native-image groovyc ajc xjc jflex javacc capnp quicktype msgfmt msgmerge xgettext tic localedef
    glib-compile-schemas glib-compile-resources moc uic rcc lrelease wayland-scanner gperf re2c byacc c2hs hsc2hs agda idris2 coqc lean
    lake ocamlfind wireit makensis nfpm goreleaser ko jib kaniko earthly pants buck xgo ponyc odin ballerina lein leiningen shadow-cljs
    spago haddock xcrun actool ibtool lipo mage`,
  lint: `
    eslint tslint oxlint biome prettier stylelint standard xo jshint jscs pylint flake8 ruff black isort mypy pyright pytype pyre bandit
    pycodestyle pydocstyle autopep8 yapf vulture rubocop standardrb reek brakeman sorbet srb golangci-lint gofmt goimports govet
    staticcheck revive clippy rustfmt clippy-driver shellcheck shfmt hadolint yamllint markdownlint markdownlint-cli2 mdl actionlint
    tflint tfsec checkov ansible-lint ktlint detekt checkstyle spotbugs pmd scalafmt scalafix swiftlint swiftformat phpcs phpstan psalm
    php-cs-fixer credo dialyzer clang-tidy clang-format cppcheck cpplint sqlfluff djlint htmlhint html-validate tidy xmllint jsonlint
    ajv spectral commitlint knip depcheck ts-prune dart-analyze hlint ormolu luacheck stylua vint codespell typos cspell proselint vale
    lychee gitlint dockerfilelint csslint buildifier nixfmt statix helm-lint kubeval kubeconform conftest opa taplo editorconfig-checker
    fantomas csharpier pyflakes pyflakes3 refurb semgrep gitleaks trivy detect-secrets secretlint textlint remark alex write-good
    redocly swagger-cli graphql-schema-linter dprint rome radon flynt pyupgrade autoflake docformatter visudo named-checkconf
    named-checkzone check-jsonschema svelte-check vue-tsc solhint slither haml-lint slim-lint erblint cookstyle puppet-lint perlcritic
    perltidy selene ameba checkbashisms bashate rpmlint lintian desktop-file-validate pycln pydoclint interrogate deptry dotenv-linter
    zizmor standardjs ls-lint addlicense dialyxir sobelow rustywind jscpd htmllint type-coverage attw publint tsd lockfile-lint
    license-checker licensee audit-ci osv-scanner grype snyk pip-audit safety cargo-audit cargo-deny cargo-udeps cargo-machete
    bundler-audit govulncheck gosec nancy errcheck ineffassign deadcode misspell gocyclo dupl periphery spotless oclint
    include-what-you-use cmake-format fprettify verible svlint ty pyrefly basedpyright darglint xenon eradicate size-limit bundlesize
    bundlewatch pa11y lighthouse lhci squawk dockle kube-score polaris terrascan cfn_nag bicep sort-package-json syncpack manypkg sherif
    podchecker linkinator changeset danger reviewdog sonar-scanner codeql gofumpt gci chktex alejandra deadnix cljfmt clj-kondo erlfmt
    scalastyle flow systemd-analyze dependency-cruiser depcruise madge pyroma`,
  package: `
    npm npx pnpm pnpx yarn bun bunx deno corepack pip pip3 pipx uv uvx poetry pdm hatch conda mamba micromamba pipenv gem bundle bundler
    composer cargo go dotnet nuget mix hex rebar3 luarocks cpan cpanm apt apt-get aptitude dpkg dnf yum rpm zypper pacman apk brew snap
    flatpak nix nix-env conan vcpkg swift pod carthage pub dart flutter opam raco rustup nvm pyenv rbenv asdf mise sdk volta lerna rush
    ncu npm-check-updates release-it semantic-release twine flit bower jspm spack guix paket choco scoop winget emerge xbps-install`,
  git: `
    git gh glab hub patch git-lfs jj hg svn fossil darcs cvs bzr brz sl pijul p4 quilt stg pre-commit lefthook husky`,
  http: 'curl wget http https httpie xh aria2c ab wrk hey vegeta grpcurl websocat lynx w3m',
  database: `
    psql mysql mariadb sqlite3 mongosh mongo redis-cli valkey-cli cqlsh clickhouse-client clickhouse duckdb influx sqlcmd sqlplus
    pg_dump pg_restore pg_ctl mysqldump mysqladmin createdb dropdb alembic flyway liquibase prisma knex sequelize dbmate migrate goose
    etcdctl memcached neo4j cypher-shell node-pg-migrate db-migrate umzug drizzle-kit typeorm sqitch sqlx diesel phinx yoyo pgroll`,
  model: `
    claude codex gemini opencode aider ollama llm openai anthropic goose-ai cursor-agent qwen copilot amp crush cline litellm mcp
    langgraph interpreter`,
  container: `
    docker podman docker-compose buildah kubectl helm minikube kind k3s nerdctl skopeo terraform tofu terragrunt pulumi ansible
    ansible-playbook vagrant packer aws gcloud az doctl flyctl heroku vercel netlify wrangler serverless cdk sam eksctl oc kustomize
    skaffold tilt argocd nomad consul vault gsutil bq fly railway supabase firebase crictl ctr dagger devcontainer kops flux crossplane
    incus`,
  remote: 'ssh scp sftp rsync ftp lftp telnet nc ncat ping dig nslookup host traceroute mosh rclone',
  runtime: `
    lua lua5.1 lua5.3 lua5.4 luajit python python2 python3 python3.11 python3.12 python3.13 node nodejs tsx ts-node ruby irb perl php
    java kotlin scala groovy R Rscript julia elixir erl iex ghci runghc runhaskell ocaml racket guile sbcl clj clojure tclsh awk gawk
    octave gnuplot jshell pypy pypy3 jruby dash-run qjs gunicorn uvicorn hypercorn flask django-admin rails rackup puma unicorn celery
    airflow dagster prefect streamlit jupyter nodemon pm2 supervisord nginx httpd apache2 systemctl service journalctl systemd-run swipl
    gdb valgrind strace ltrace http-server json-server live-server waitress daphne granian wasmtime wasmer raku`,
  reader: `
    cat ls find grep egrep fgrep rg ag ack less more head tail sed awk-print wc sort uniq cut tr jq yq tree stat file diff colordiff bat
    fd locate which type man help echo printf true nl od xxd hexdump strings column tac zcat zgrep comm paste fold env-print printenv
    date whoami id pwd basename dirname realpath readlink du df ps top history dmesg lsof`,
  shell: `
    numfmt expr factor iconv bash sh zsh dash fish ksh busybox rm cp mv mkdir rmdir touch chmod chown chgrp ln tee dd tar zip unzip gzip
    gunzip xz bzip2 7z install mktemp truncate split sleep kill nohup xargs parallel env sudo su mount umount export source test mkfs
    fallocate shred sync sha256sum md5sum base64 openssl gpg ssh-keygen ssh-add crontab useradd passwd hostname ip ifconfig iptables
    sysctl modprobe just task invoke fab expect lz4 zstd bsdtar cpio strip objcopy flock setpriv prlimit chroot losetup e2fsck fsck
    resize2fs dmsetup dbus-send busctl gdbus tsort keytool jarsigner`,
};

/** `check`: a step of a CI service whose program is not known: CI checks the repository. `install`: a package manager is told to fetch. */
export type Role = keyof typeof NAMES | 'check' | 'install' | 'unknown';

const ROLE_OF: ReadonlyMap<string, Role> = new Map(
  Object.entries(NAMES).flatMap(([role, names]) =>
    wordList(names).map((name) => [name, role as Role] as const),
  ),
);

export function roleOfProgram(name: string): Role {
  const known = ROLE_OF.get(name);
  if (known !== undefined) return known;
  const unversioned = ROLE_OF.get(name.replace(/-?\d[\d.]*$/, ''));
  if (unversioned !== undefined) return unversioned;
  if (/^python[\d.]*$|^node[\d.]*$|^php[\d.]*$|^ruby[\d.]*$/.test(name)) return 'runtime';
  if (/^(?:gcc|g\+\+|clang(?:\+\+)?)-\d+$|-(?:gcc|g\+\+|ld|as)$/.test(name)) return 'build';
  if (/(?:^|[-_.])(?:tests?|specs?|e2e)(?:$|[-_.])/.test(name)) return 'test';
  if (/lint|fmt$|format(?:ter)?$|typecheck|(?:^|[-_.])(?:check(?:er)?|audit)(?:$|[-_.])/.test(name))
    return 'lint';
  if (/(?:^|[-_.])(?:build|compile|bundle)(?:$|[-_.])/.test(name)) return 'build';
  return 'unknown';
}
