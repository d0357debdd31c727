import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { canConnect, freePorts } from '@plantroom/testkit/free-port'
import { eventually } from './eventually.ts'

export const HAPROXY = ['/usr/sbin/haproxy', '/usr/local/sbin/haproxy', '/opt/homebrew/bin/haproxy'].find(existsSync)

/** A real HAProxy in front of several clouds. */
export interface Haproxy extends AsyncDisposable {
  readonly baseUrl: string
}

/** Starts it with a check of each cloud, and one more try with another cloud where a connection fails. */
export async function startHaproxy(folder: string, cloudPorts: readonly number[]): Promise<Haproxy> {
  const [port] = await freePorts(1)
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(
    file,
    `global
    maxconn 1000
defaults
    mode http
    timeout connect 2s
    timeout client 30s
    timeout server 30s
    option redispatch 1
    retries 3
    retry-on conn-failure
frontend plantroom
    bind 127.0.0.1:${port}
    default_backend clouds
backend clouds
    balance roundrobin
    option httpchk GET /healthz
    default-server check inter 500ms fall 2 rise 1
${cloudPorts.map((cloud, index) => `    server cloud${index} 127.0.0.1:${cloud}`).join('\n')}
`,
  )
  const child = spawn(HAPROXY ?? 'haproxy', ['-db', '-q', '-f', file], { stdio: ['ignore', 'ignore', 'ignore'] })
  const gone = once(child, 'exit')
  await eventually(() => canConnect(port ?? 0))
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await gone
    },
  }
}
