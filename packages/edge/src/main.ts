import { systemClock } from '@plantroom/base/clock'
import { runProgram } from '@plantroom/base/program'
import { VERSION } from '@plantroom/contract/version'
import { createProtocols } from '@plantroom/drivers/protocols'
import { writeToStream } from 'mqtt-packet'
import { loadConfig, ownServiceManager } from './config.ts'
import { startEdge } from './wire.ts'

const usage = `plantroom edge [--config FILE]                the agent on a controller in a building
plantroom edge probe FILE [--json]            test a commissioning file against the equipment; writes nothing
plantroom edge scan PROTOCOL TARGET           find equipment where you point; writes nothing to it
plantroom edge config check|show [FILE]       check the settings, or show all of them
plantroom edge doctor [--json]                check what the controller needs, and say how to mend it
plantroom edge support bundle FILE            write a file for support, without secrets

Settings come from the environment and from plantroom.yaml: see docs/reference/settings.md. Probe and scan need none.`

// The library would otherwise keep a buffer for each of the 65,536 numbers of two bytes, which takes 8 MB.
writeToStream.cacheNumbers = false

const [mode, ...args] = process.argv.slice(2)
if (mode === 'config' || mode === 'doctor' || mode === 'support') {
  const { runEdgeOperator } = await import('./operator.ts')
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
  const code = await runEdgeOperator([mode, ...args])
  process.stdout.write('', () => process.exit(code))
} else if (mode === 'probe' || mode === 'scan') {
  // Loaded on demand: a running device does not need the file checks in memory.
  const run =
    mode === 'probe' ? (await import('./probe/command.ts')).runProbe : (await import('./probe/scan-command.ts')).runScan
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
  const code = await run(args, {
    protocols: createProtocols(systemClock),
    clock: systemClock,
    terminal: {
      out: (text) => process.stdout.write(text),
      err: (text) => process.stderr.write(text),
      progress: process.stderr.isTTY ? (text) => process.stderr.write(`\r\x1b[K${text}`) : undefined,
    },
  })
  // Exits once the output is flushed to the pipe, without waiting for equipment to close its connections.
  process.stdout.write('', () => process.exit(code))
} else {
  await runProgram({
    name: 'edge',
    usage,
    version: VERSION,
    start: async (file) => startEdge(await loadConfig(file)),
    serviceManager: ownServiceManager(),
  })
}
