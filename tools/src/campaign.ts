import { HELP, parseCampaignArguments } from './campaign/arguments.ts'
import { runMutationCampaign } from './campaign/mutation/run-mutation.ts'
import { runBatch } from './campaign/run-batch.ts'
import { closingLine, runCampaigns } from './campaign/run-campaigns.ts'
import { interruption } from './interruption.ts'
import { start } from './start.ts'

const newSeed = () => Math.floor(Math.random() * 1_000_000_000)

async function main(): Promise<number> {
  const { help, campaigns, mutation, seed, from, minutes, json, near, devices } = parseCampaignArguments(
    process.argv.slice(2),
    newSeed,
  )
  if (help) {
    process.stdout.write(HELP)
    return 0
  }
  const signal = interruption()
  const print = (line: string) => console.log(line)
  // With --json, the lines of mutants are the only ones on standard output but for the last.
  ;(json ? console.error : print)(`seed ${seed}`)
  const totals = mutation
    ? await runMutationCampaign({ room: mutation.room, seed, from, minutes, json, near }, signal)
    : await runCampaigns(
        campaigns,
        { seed, from, minutes },
        {
          runBatch: (campaign, ofSeed, first) => runBatch(campaign, { seed: ofSeed, from: first, devices }, signal),
          now: () => Date.now(),
          isInterrupted: () => signal.aborted,
          print,
        },
      )
  print(closingLine(totals))
  return totals.violations === 0 ? 0 : 1
}

await start('campaign', main)
