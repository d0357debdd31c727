import { ApiError } from '@plantroom/client/http'
import { shown } from '@plantroom/contract/shown'
import { type Command, Unsuccessful, UsageError } from './command.ts'
import { commission } from './commands/commission.ts'
import { device } from './commands/device.ts'
import { dr } from './commands/dr.ts'
import { key } from './commands/key.ts'
import { measurements } from './commands/measurements.ts'
import { org } from './commands/org.ts'
import { packages } from './commands/package.ts'
import { reports } from './commands/reports.ts'
import { site } from './commands/site.ts'
import { user } from './commands/user.ts'
import { demo } from './demo/demo.ts'

const COMMANDS: Readonly<Record<string, Command>> = {
  demo,
  org,
  site,
  device,
  key,
  user,
  commission,
  dr,
  reports,
  measurements,
  package: packages,
}

const USAGE = `Plantroom: steer a building's equipment safely.

plantroom demo              cloud, worker, an edge device and a simulated building, on this machine
plantroom cloud             the HTTP API and the broker
plantroom worker            the jobs of the cloud (packages), and its mail
plantroom edge              the agent on a controller
plantroom edge probe        try a commissioning file against the equipment
plantroom simulate          a simulated building
plantroom org | site | device | key | user
                            administration, with the admin token
plantroom commission        load connections and datapoints onto a device
plantroom dr                a partner's commands, with an API key
plantroom reports           what devices did to their datapoints
plantroom measurements      the archived values of a datapoint
plantroom package           check, import and export packages of maintenance requests (.fpl)
plantroom test | check | bench | campaign
                            for people who work on Plantroom

Each takes --help, and --json where it prints a result.`

/** A device lists every mistake of a commissioning file. */
const LONGEST_MESSAGE = 20_000

/** Runs one command; the result is the exit code: 0 done, 1 failed, 2 wrong usage. */
async function main([name, ...args]: readonly string[]): Promise<number> {
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    console.log(USAGE)
    return name === undefined ? 2 : 0
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!command) {
    console.error(`plantroom: there is no command ${shown(name)}; see plantroom --help`)
    return 2
  }
  if (args.includes('--help') || args.includes('-h')) {
    console.log(command.usage)
    return 0
  }
  try {
    await command.run(args)
    return 0
  } catch (error) {
    if (error instanceof Unsuccessful) return 1
    // One line: a message may repeat what the service or a file said.
    console.error(`plantroom ${name}: ${shown((error as Error).message, LONGEST_MESSAGE)}${hint(error, name)}`)
    return error instanceof UsageError ? 2 : 1
  }
}

function hint(error: unknown, name: string): string {
  if (error instanceof UsageError) return `; see plantroom ${name} --help`
  return error instanceof ApiError ? ` (${error.status} ${error.code})` : ''
}

// A reader that has seen enough, such as head, is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
process.exitCode = await main(process.argv.slice(2))
