import type { Campaign } from './campaigns.ts'

export interface Violation {
  /** The run that violated the property. */
  readonly run: number
  readonly message: string
}

/** What one batch of a campaign found. */
export interface BatchResult {
  readonly runs: number
  readonly violations: readonly Violation[]
  /** The lines `skipped: NAME, because …` that its tests have printed. */
  readonly skipped: readonly string[]
}

export interface CampaignDeps {
  /** Runs `campaign.batch` runs of each test, beginning with run `from`. */
  runBatch(campaign: Campaign, seed: number, from: number): Promise<BatchResult>
  now(): number
  isInterrupted(): boolean
  print(line: string): void
}

export interface CampaignTotals {
  runs: number
  violations: number
}

/** Runs the campaigns one after another; each gets the same share of the time and at least one batch. */
export async function runCampaigns(
  campaigns: readonly Campaign[],
  options: { seed: number; from: number; minutes: number },
  deps: CampaignDeps,
): Promise<CampaignTotals> {
  const totals = { runs: 0, violations: 0 }
  const shareMs = (options.minutes * 60_000) / campaigns.length
  for (const campaign of campaigns) {
    if (deps.isInterrupted()) break
    const found = await runCampaign(campaign, { ...options, untilMs: deps.now() + shareMs }, deps)
    totals.runs += found.runs
    totals.violations += found.violations
  }
  return totals
}

async function runCampaign(
  campaign: Campaign,
  options: { seed: number; from: number; untilMs: number },
  deps: CampaignDeps,
): Promise<CampaignTotals> {
  const { name, batch } = campaign
  const { seed, untilMs } = options
  const totals = { runs: 0, violations: 0 }
  let { from } = options
  do {
    const { runs, violations, skipped } = await deps.runBatch(campaign, seed, from)
    for (const line of skipped) deps.print(line)
    totals.runs += runs
    totals.violations += violations.length
    for (const { run, message } of violations) deps.print(`${message.trimEnd()}\n${violationLine(name, seed, run)}`)
    // An interrupted batch is repeated as a whole.
    if (deps.isInterrupted()) break
    if (runs === 0 && violations.length === 0) {
      deps.print(`${name}: skipped, because this machine lacks a program that its tests need (see plantroom test)`)
      return totals
    }
    deps.print(`${name} ${from} to ${from + batch - 1}: ${closingLine({ runs, violations: violations.length })}`)
    from += batch
  } while (deps.now() < untilMs)
  deps.print(`${name}: continue with ${commandFrom(name, seed, from)}`)
  return totals
}

/** The last line of every campaign. */
export function closingLine({ runs, violations }: CampaignTotals): string {
  return `${runs} runs, ${violations} violations`
}

/** The command that starts a campaign at a run. */
export function commandFrom(name: string, seed: number, from: number): string {
  return `plantroom campaign ${name} --seed ${seed} --from ${from}`
}

function violationLine(name: string, seed: number, run: number): string {
  return `VIOLATION in run ${run}; repeat it with ${commandFrom(name, seed, run)}`
}
