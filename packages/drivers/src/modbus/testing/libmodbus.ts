import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'

const CC = '/usr/bin/cc'
/** Not installed here: suites that need it are reported as skipped. */
export const withoutLibmodbus = !existsSync(CC) || !existsSync('/usr/include/modbus/modbus.h')

/** Compiles a unit by libmodbus and runs it at a serial port. @param folder for the program */
export async function startLibmodbusUnit(folder: string, path: string): Promise<AsyncDisposable> {
  const program = `${folder}/unit`
  await promisify(execFile)(CC, ['-O1', '-o', program, `${import.meta.dirname}/libmodbus_line.c`, '-lmodbus'])
  const child = spawn(program, [path], { stdio: ['pipe', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  await once(createInterface({ input: child.stdout }), 'line')
  return {
    async [Symbol.asyncDispose]() {
      child.stdin.end()
      await exited
    },
  }
}
