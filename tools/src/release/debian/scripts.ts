import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ServicePackage } from './packages.ts'

/** The units that `deploy/systemd` has for a checkout in /opt. */
const CHECKOUT = {
  program: '/opt/plantroom/plantroom',
  documentation: 'file:/opt/plantroom/docs/',
  data: '/var/lib/plantroom',
  user: 'plantroom',
} as const

/** Returns the scripts that dpkg runs for a package. They are the same for all, with the names of the package above. */
export function maintainerScripts(pack: ServicePackage): Record<string, string> {
  const names = {
    user: pack.user,
    data: pack.data,
    settings: pack.settings,
    program: `${pack.home}/bin/plantroom`,
    priority: String(pack.priority),
    units: pack.units.join(' '),
    enable: pack.enable ? 'yes' : 'no',
    stop_for_upgrade: pack.stopForUpgrade.join(' '),
    first_note: pack.firstNote,
    removal_note: pack.removalNote,
  }
  return Object.fromEntries(
    ['postinst', 'prerm', 'postrm'].map((script) => {
      const body = readFileSync(join(import.meta.dirname, `${script}.sh`), 'utf8')
      const used = Object.entries(names).filter(([name]) => body.includes(`$${name}`))
      const set = used.map(([name, value]) => `${name}='${value}'\n`).join('')
      return [script, `#!/bin/sh\nset -eu\n${set}\n${body}`]
    }),
  )
}

/** Returns the part of the launcher that knows the service of a package. */
export function serviceScript({ user, data, settings }: ServicePackage): string {
  const names = Object.entries({ user, data, settings }).map(([name, value]) => `${name}='${value}'\n`)
  return `${names.join('')}\n${readFileSync(join(import.meta.dirname, 'service.sh'), 'utf8')}`
}

/** Returns a unit for an installed package, from the one for a checkout. */
export function unitFor(pack: ServicePackage, unit: string): string {
  const [settings] = unit.split('[Unit]')
  const replaced: [string, string][] = [
    [`ExecStart=${CHECKOUT.program} `, `ExecStart=${pack.home}/bin/plantroom `],
    [`Documentation=${CHECKOUT.documentation}`, `Documentation=file:/usr/share/doc/${pack.name}/docs/`],
    [`Environment=PLANTROOM_DATA=${CHECKOUT.data}\n`, `Environment=PLANTROOM_DATA=${pack.data}\n`],
    [`StateDirectory=${CHECKOUT.user}\n`, `StateDirectory=${pack.data.replace('/var/lib/', '')}\n`],
    [`User=${CHECKOUT.user}\n`, `User=${pack.user}\n`],
  ]
  // The comments above the first section say how to prepare a checkout.
  return replaced.reduce(
    (text, [from, to]) => {
      if (text.split(from).length !== 2) throw new Error(`a unit in deploy/systemd does not have "${from.trim()}" once`)
      return text.replace(from, to)
    },
    unit.slice(settings?.length ?? 0),
  )
}
