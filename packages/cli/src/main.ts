import { ApiError } from '@plantroom/client/http'
import { shown } from '@plantroom/contract/shown'
import { type Command, ReportedFailure, UsageError } from './command.ts'
import { activity } from './commands/activity.ts'
import { alerts } from './commands/alerts.ts'
import { audit } from './commands/audit.ts'
import { commission } from './commands/commission.ts'
import { device } from './commands/device.ts'
import { dr } from './commands/dr/dr.ts'
import { fleet } from './commands/fleet/fleet.ts'
import { key } from './commands/key.ts'
import { measurements } from './commands/measurements.ts'
import { org } from './commands/org.ts'
import { packages } from './commands/package/package.ts'
import { reports } from './commands/reports.ts'
import { simulateFleet } from './commands/simulate-fleet/simulate-fleet.ts'
import { site } from './commands/site.ts'
import { user } from './commands/user.ts'
import { webhook } from './commands/webhook.ts'
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
  fleet,
  reports,
  activity,
  alerts,
  webhook,
  audit,
  measurements,
  package: packages,
  'simulate-fleet': simulateFleet,
}

const USAGE = `Plantroom controls building equipment safely.

plantroom demo              run a cloud, a worker, an edge device and a simulated building on this machine
plantroom cloud             run the HTTP API and the broker
plantroom worker            run the cloud's jobs (packages) and send its mail
plantroom edge              run the agent on a controller
plantroom edge probe        test a commissioning file against the equipment
plantroom simulate          run a simulated building
plantroom simulate-fleet    imitate many controllers, to size an installation
plantroom backup | restore  copy everything of a service to one file, check it, restore it
plantroom prepare           install everything and build the console, without starting anything
plantroom org | site | device | key | user
                            administer an installation with the admin token
plantroom commission        load connections and datapoints onto a device
plantroom dr                send a partner's commands with an API key
plantroom fleet             send one setpoint to many controllers, and follow or cancel it
plantroom reports           list what devices did to their datapoints
plantroom activity          list who did what in the cloud
plantroom alerts            list what is or was wrong with controllers, equipment, imports and automatic exports
plantroom webhook           tell other servers what happens
plantroom audit             export the signed audit of a device or the signed activity, and verify one without the service
plantroom measurements      list the archived values of a datapoint
plantroom package           check, import and export packages of maintenance requests (.fpl)
plantroom test | check | generate | bench | campaign | release
                            for developers of Plantroom

Every command accepts --help, and --json if it prints a result.`

/** Long enough for every problem of a commissioning file. */
const LONGEST_MESSAGE = 20_000

/** Runs one command and returns the exit code: 0 success, 1 failure, 2 wrong usage. */
async function main([name, ...args]: readonly string[]): Promise<number> {
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    console.log(USAGE)
    return name === undefined ? 2 : 0
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!command) {
    console.error(`plantroom: unknown command ${shown(name)}; see plantroom --help`)
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
    if (error instanceof ReportedFailure) return 1
    // Print one line, even if the message repeats text from the service or a file.
    console.error(`plantroom ${name}: ${shown((error as Error).message, LONGEST_MESSAGE)}${hint(error, name)}`)
    return error instanceof UsageError ? 2 : 1
  }
}

function hint(error: unknown, name: string): string {
  if (error instanceof UsageError) return `; see plantroom ${name} --help`
  return error instanceof ApiError ? ` (${error.status} ${error.code})` : ''
}

// A reader like head may close the pipe early, which is not a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
process.exitCode = await main(process.argv.slice(2))
