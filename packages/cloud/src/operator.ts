import { runOperatorCommand } from '@plantroom/base/operate'
import { cloudInstallation } from './wire/installation.ts'

process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
const code = await runOperatorCommand(process.argv.slice(2), cloudInstallation(), {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
})
// Exits once the output is flushed to the pipe, without waiting for peers that do not answer.
process.stdout.write('', () => process.exit(code))
