import { Does } from './step.ts'
import type { Id, World } from './world.ts'

export const cutLink = new Does('the link to the equipment is cut', (world, { equipment }) => {
  equipment.cut = 'cut'
  world.cut = true
})

export const restoreLink = new Does(
  'the link to the equipment is restored',
  (world, { equipment }) => {
    equipment.cut = undefined
    world.cut = false
  },
  { settlesWithin: 40, mayDie: true },
)

export const unwilling = (how: 'refuse' | 'ignores', id: Id) =>
  new Does(`${id} ${how === 'refuse' ? 'rejects' : 'ignores'} writes`, (world, { equipment }) => {
    // An ignored write that cannot be read back would count as done.
    equipment.unreadable.delete(id)
    equipment[how].add(id)
    world.unwilling.add(id)
  })

export const willing = new Does(
  'all equipment accepts writes and answers',
  (world, { equipment }) => {
    equipment.refuse.clear()
    equipment.ignores.clear()
    equipment.silent.clear()
    equipment.unreadable.clear()
    world.unwilling.clear()
  },
  { settlesWithin: 40, mayDie: true },
)

export const fallsSilent = (id: Id) =>
  new Does(`${id} falls silent`, (world, { equipment }) => {
    equipment.silent.add(id)
    world.unwilling.add(id)
    world.unread.add(id)
  })

export const cannotBeRead = (id: Id) =>
  new Does(`${id} answers reads with an exception`, (world, { equipment }) => {
    if (equipment.ignores.has(id)) return
    equipment.unreadable.set(id, 'exception 4')
    world.unread.add(id)
  })

export const canBeRead = new Does('everything can be read', (_world, { equipment }) => equipment.unreadable.clear(), {
  settlesWithin: 6,
})

export const forgets = (id: Id) =>
  new Does(
    `${id} loses its setpoint`,
    async (world, device) => {
      // The loss is invisible where the point cannot be read, or where an offset cannot be applied.
      if (device.equipment.unreadable.has(id) || typeof world.plain[id] !== 'number') return
      if ((await device.values())[id]?.locked) device.equipment.points.set(id, 77)
    },
    { settlesWithin: 15, may: ({ cut, unwilling }) => !cut && !unwilling.has(id) },
  )

export const setByHand = (id: Id, value: World['plain'][Id]) =>
  new Does(
    `${id} is set to ${typeof value === 'object' ? value.image : value} by hand`,
    async (world, device) => {
      if ((await device.values())[id]?.locked) return
      // An unreadable point would be restored to its last reading instead.
      if (device.equipment.unreadable.has(id)) return
      // A setpoint that comes back within a minute of its release is released again.
      const isSetpoint = device.equipment.writes.some((write) => write.id === id && write.raw === value)
      if (isSetpoint && value !== world.plain[id]) return
      device.equipment.points.set(id, value)
      world.plain[id] = value
    },
    // Long enough for a poll, so that a point that falls silent next is restored to this value.
    { settlesWithin: 6, may: ({ cut, unwilling }) => !cut && !unwilling.has(id) },
  )
