import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Clock } from '../clock.ts'
import {
  type Check,
  checkVersions,
  hasProblem,
  printResults,
  type Result,
  readUnit,
  reasonOf,
  runChecks,
  unitFinding,
} from '../diagnosis/index.ts'
import { describeDiskError } from '../disk-error.ts'
import { optionProblem } from '../option-problem.ts'
import { BadConfiguration, type FoundSettings } from '../settings/index.ts'
import { findLogs, writeBundle } from '../support/index.ts'
import { printSettings, type ShownSetting } from './print-settings.ts'

/** What the commands of an operator need to know of a program. */
export interface Installation<Config> {
  /** What people type before the command. */
  prefix: 'plantroom' | 'plantroom edge'
  version: string
  clock: Clock
  findSettings(path: string | undefined): Promise<FoundSettings>
  /** Throws `BadConfiguration`. */
  readConfig(found: FoundSettings): Config
  /** The settings as anyone may see them. */
  describe(found: FoundSettings): readonly ShownSetting[]
  /** Secrets in the settings. */
  secretsOf(found: FoundSettings): readonly string[]
  checks(config: Config): readonly Check[]
  /** What a support bundle says about the stored data, and where it finds logs and secrets. */
  facts(
    config: Config,
  ): Promise<{ counts: unknown; metrics: string | undefined; folder: string; secrets: readonly string[] }>
  /** Units of systemd that log. */
  units: readonly string[]
}

interface Terminal {
  out(text: string): void
  err(text: string): void
}

class UsageError extends Error {}

/** Runs `config`, `doctor` or `support` and returns the exit code: 0 success, 1 problems, 2 wrong usage. */
export async function runOperatorCommand<Config>(
  args: readonly string[],
  installation: Installation<Config>,
  terminal: Terminal,
): Promise<number> {
  const [name = ''] = args
  const { prefix } = installation
  if (args.includes('--help') || args.includes('-h')) {
    terminal.out(`${usageOf(prefix)}\n`)
    return 0
  }
  try {
    const command = COMMANDS[name]
    if (!command) throw new UsageError(`unknown command ${name}`)
    return await command(args.slice(1), installation, terminal)
  } catch (error) {
    const isUsage = error instanceof UsageError
    terminal.err(
      `${prefix} ${name}: ${isUsage ? reasonOf(error) : describeDiskError(error)}${isUsage ? `; see ${prefix} ${name} --help` : ''}\n`,
    )
    return isUsage ? 2 : 1
  }
}

type Command = <Config>(
  args: readonly string[],
  installation: Installation<Config>,
  terminal: Terminal,
) => Promise<number>

const COMMANDS: Readonly<Record<string, Command>> = { config, doctor, support }

const usageOf = (
  prefix: string,
) => `${prefix} config check [FILE] [--json]   check the settings, and show where each comes from
${prefix} config show [FILE] [--json]    show every setting, with its default
${prefix} doctor [--json]                check everything that the program needs, and say how to mend it
${prefix} support bundle FILE            write versions, masked settings, results of the doctor, counts and logs to FILE (.tar.gz)

doctor and support take --config FILE for the file of settings. Exit 0: all is well; 1: something is wrong; 2: wrong usage.`

async function config<Config>(
  args: readonly string[],
  installation: Installation<Config>,
  { out }: Terminal,
): Promise<number> {
  const { json, configFile, positionals } = parse(args)
  const [verb, path = configFile, extra] = positionals
  if ((verb !== 'check' && verb !== 'show') || extra !== undefined)
    throw new UsageError('use config check [FILE] or config show [FILE]')
  const found = await installation.findSettings(path)
  const problems = problemsOf(found, installation)
  const settings = installation.describe(found)
  const { file, warnings } = found
  if (json) out(`${JSON.stringify({ file: file ?? null, settings, problems, warnings })}\n`)
  else out(`${printSettings({ file, settings, problems, warnings, isComplete: verb === 'show' })}\n`)
  return problems.length > 0 ? 1 : 0
}

async function doctor<Config>(
  args: readonly string[],
  installation: Installation<Config>,
  { out }: Terminal,
): Promise<number> {
  const { json, configFile, positionals } = parse(args)
  if (positionals.length > 0) throw new UsageError(`unexpected argument ${positionals[0]}`)
  const found = await installation.findSettings(configFile)
  const results = await diagnose(found, installation)
  const isWell = !hasProblem(results)
  out(json ? `${JSON.stringify({ ok: isWell, checks: results })}\n` : `${printResults(results)}\n`)
  return isWell ? 0 : 1
}

async function support<Config>(
  args: readonly string[],
  installation: Installation<Config>,
  { out }: Terminal,
): Promise<number> {
  const { json, configFile, positionals } = parse(args)
  const [verb, path, extra] = positionals
  if (verb !== 'bundle' || path === undefined || extra !== undefined) throw new UsageError('use support bundle FILE')
  const found = await installation.findSettings(configFile)
  const results = await diagnose(found, installation)
  const { version, clock, units } = installation
  const config = readable(found, installation)
  const facts = config && (await installation.facts(config))
  await writeBundle(path, {
    version,
    doctor: results,
    now: clock.now(),
    settings: {
      file: found.file ?? null,
      settings: installation.describe(found).filter(({ value }) => value !== null),
    },
    counts: facts?.counts ?? {},
    metrics: facts?.metrics,
    logs: facts ? await findLogs(facts.folder, units) : [],
    secrets: [...installation.secretsOf(found), ...(facts?.secrets ?? [])],
  })
  out(
    json
      ? `${JSON.stringify({ file: path })}\n`
      : `wrote ${path}; it has no secrets and no personal data, but look at it before you send it\n`,
  )
  return 0
}

function parse(args: readonly string[]) {
  const options = { json: { type: 'boolean' }, config: { type: 'string' } } as const
  const problem = optionProblem(args, options)
  if (problem !== undefined) throw new UsageError(problem)
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
  return { json: values.json ?? false, configFile: values.config, positionals }
}

function problemsOf<Config>(found: FoundSettings, { readConfig }: Installation<Config>): readonly string[] {
  try {
    readConfig(found)
    return []
  } catch (error) {
    return error instanceof BadConfiguration ? error.problems : [reasonOf(error)]
  }
}

function readable<Config>(found: FoundSettings, installation: Installation<Config>): Config | undefined {
  return problemsOf(found, installation).length > 0 ? undefined : installation.readConfig(found)
}

/** With settings that cannot be read, only these are reported: everything else depends on them. */
async function diagnose<Config>(found: FoundSettings, installation: Installation<Config>): Promise<Result[]> {
  const { version, clock, prefix, checks } = installation
  const source = found.file === undefined ? 'the environment' : `the environment and ${found.file}`
  const about = problemsOf(found, installation).map((text) => ({
    level: 'problem' as const,
    text,
    remedy: `change it; ${prefix} config check shows all settings`,
  }))
  const settings: Result[] = [
    { name: 'versions', ...checkVersions(version) },
    ...(about.length > 0 ? about : [{ level: 'ok' as const, text: `read from ${source}` }]).map((finding) => ({
      name: 'settings',
      ...finding,
    })),
    ...found.warnings.map((text) => ({ name: 'settings', level: 'warning' as const, text })),
  ]
  const config = readable(found, installation)
  // A unit whose program cannot read its settings fails, too.
  const all = [...(config === undefined ? [] : checks(config)), ...unitChecks(found, installation)]
  return [...settings, ...(await runChecks(all, { clock }))]
}

/** One check for each unit of systemd that runs a program of this installation, if there is one. */
function unitChecks<Config>({ values }: FoundSettings, { units }: Installation<Config>): Check[] {
  const folder = resolve(values.PLANTROOM_DATA || '.plantroom')
  return units.map((name) => ({
    name: 'unit',
    run: async () => {
      const unit = await readUnit(name, folder)
      return unit ? unitFinding(unit) : []
    },
    remedy: `systemctl status ${name}`,
  }))
}
