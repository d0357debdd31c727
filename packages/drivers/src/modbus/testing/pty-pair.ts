import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync } from 'node:fs'
import { eventually } from '@plantroom/testkit/eventually'

const SOCAT = '/usr/bin/socat'
/** Not installed here: suites that need it are reported as skipped. */
export const withoutSocat = !existsSync(SOCAT)

/** Two pseudo-terminals that are connected like the two ends of a serial line. */
export interface PtyPair {
  /** The end that the driver opens: a link to a terminal whose own name changes with every start. */
  readonly ours: string
  readonly theirs: string
  /** Takes both ends away, as when an adapter is unplugged. */
  stop(): Promise<void>
}

/** @param folder where the links `ours` and `theirs` appear */
export async function startPtyPair(folder: string): Promise<PtyPair> {
  const [ours, theirs] = [`${folder}/ours`, `${folder}/theirs`]
  const child = spawn(SOCAT, [`pty,raw,echo=0,link=${ours}`, `pty,raw,echo=0,link=${theirs}`], { stdio: 'inherit' })
  const exited = once(child, 'exit')
  await eventually(() => {
    if (!existsSync(ours) || !existsSync(theirs)) throw new Error('socat has not made its terminals')
  })
  return {
    ours,
    theirs,
    async stop() {
      // First the names: a driver that sees the end must not find a terminal that somebody else has by now.
      for (const link of [ours, theirs]) rmSync(link, { force: true })
      child.kill()
      await exited
    },
  }
}
