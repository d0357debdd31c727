import { Does } from './step.ts'
import type { Id, World } from './world.ts'

export const cutLink = new Does('the link to the equipment is cut', (world, { equipment }) => {
  equipment.cut = 'cut'
  world.cut = true
})

export const mendLink = new Does(
  'the link to the equipment is mended',
  (world, { equipment }) => {
    equipment.cut = undefined
    world.cut = false
  },
  { settlesWithin: 40, mayDie: true },
)

export const unwilling = (how: 'refuse' | 'ignores', id: Id) =>
  new Does(`${id} ${how} what is written`, (world, { equipment }) => {
    // What is ignored and cannot be read passes for done.
    equipment.unreadable.delete(id)
    equipment[how].add(id)
    world.unwilling.add(id)
  })

export const willing = new Does(
  'all equipment does as it is told',
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
  new Does(`${id} answers nothing any more`, (world, { equipment }) => {
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
    `${id} loses what it was set to`,
    async (world, device) => {
      // What cannot be read, or is not held for lack of a number to add to, cannot be seen to be lost.
      if (device.equipment.unreadable.has(id) || typeof world.plain[id] !== 'number') return
      if ((await device.values())[id]?.locked) device.equipment.points.set(id, 77)
    },
    { settlesWithin: 15, may: ({ cut, unwilling }) => !cut && !unwilling.has(id) },
  )

export const turnedByHand = (id: Id, value: World['plain'][Id]) =>
  new Does(
    `${id} is turned to ${typeof value === 'object' ? value.image : value} by hand`,
    async (world, device) => {
      if ((await device.values())[id]?.locked) return
      // A reading from before would be restored where the value cannot be read.
      if (device.equipment.unreadable.has(id)) return
      device.equipment.points.set(id, value)
      world.plain[id] = value
    },
    // A poll sees it: what falls silent then is restored to it.
    { settlesWithin: 6, may: ({ cut, unwilling }) => !cut && !unwilling.has(id) },
  )
