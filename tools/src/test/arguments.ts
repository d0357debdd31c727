import { parseArgs } from 'node:util'
import { UsageError } from '../start.ts'

export interface TestArguments {
  readonly help: boolean
  /** Parts of paths that choose test files; none means all. */
  readonly names: readonly string[]
  readonly forVitest: readonly string[]
  /** With `--changed`: the commit to compare with, if one is given. */
  readonly changed?: { readonly base: string | undefined }
}

export const HELP = `Usage: plantroom test [NAME ...] [-- VITEST-ARGUMENT ...]
       plantroom test --changed [BASE]

Runs the checks of 'plantroom check', then the unit, end-to-end and browser tests. Installs missing
system programs where apt-get and root are available; elsewhere the tests that need them are
skipped. The last line is 'N passed, N failed' (', N skipped').

  NAME              run only test files whose path contains NAME
  VITEST-ARGUMENT   passed on to vitest; the browser tests do not run then
  --changed [BASE]  run the checks, and only the tests that your changes since BASE can affect
                    (default: since the branch left main, or HEAD on main), committed or not:
                    - unit tests that import a changed file, directly or not
                    - end-to-end tests by the changed folder: packages/fpl runs the package and
                      import tests; edge, drivers and simulator run all others; cli runs the tests
                      of its commands; web runs the browser tests; a test file runs itself;
                      documentation, bench and tools run none; every other change runs all
  --help            this text

Examples:
  plantroom test overrides
  plantroom test e2e/browser
  plantroom test -- --project e2e
  plantroom test --changed HEAD~3
`

/** Names stand before `--`, arguments for vitest after it. */
export function parseTestArguments(args: readonly string[]): TestArguments {
  const { values, tokens } = parseArgs({
    args: [...args],
    options: { help: { type: 'boolean', default: false }, changed: { type: 'boolean', default: false } },
    allowPositionals: true,
    tokens: true,
  })
  const end = tokens.findIndex(({ kind }) => kind === 'option-terminator')
  const positionals = (from: number, to: number) =>
    tokens.slice(from, to).flatMap((token) => (token.kind === 'positional' ? [token.value] : []))
  const names = positionals(0, end < 0 ? tokens.length : end)
  const forVitest = end < 0 ? [] : positionals(end, tokens.length)
  if (!values.changed) return { help: values.help, names, forVitest }

  const [base, ...rest] = names
  if (rest.length > 0) throw new UsageError(`unexpected argument ${rest[0]}: --changed takes one BASE and no NAME`)
  if (forVitest.length > 0) throw new UsageError('--changed takes no arguments for vitest')
  return { help: values.help, names: [], forVitest: [], changed: { base } }
}
