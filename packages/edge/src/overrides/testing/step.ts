import type fc from 'fast-check'
import type { Controller } from '../../testing/controller.ts'
import { compare, recover, timeOf, type World } from './world.ts'

/** One step, followed by a check of everything that must be true after it. */
export abstract class Step implements fc.AsyncCommand<World, Controller> {
  abstract act(world: World, device: Controller): Promise<void>
  /** Seconds after which the device must have reacted. */
  settlesWithin = 1
  /** Whether the device may die during the step. */
  mayDie = false

  check(_world: Readonly<World>): boolean {
    return true
  }

  async run(world: World, device: Controller): Promise<void> {
    if (this.mayDie) device.dieAt(world.diesAt)
    await this.act(world, device)
    await device.pass(this.settlesWithin)
    if (device.dead) await recover(world, device)
    device.dieAt(undefined)
    world.model.look(timeOf(device))
    await compare(world, device)
  }
}

/** A step given as a function. */
export class Does extends Step {
  readonly name: string
  readonly does: (world: World, device: Controller) => Promise<void> | void
  readonly may: (world: Readonly<World>) => boolean
  override settlesWithin: number
  override mayDie: boolean
  constructor(
    name: string,
    does: Does['does'],
    {
      settlesWithin = 1,
      may = () => true,
      mayDie = false,
    }: Partial<Pick<Does, 'settlesWithin' | 'may' | 'mayDie'>> = {},
  ) {
    super()
    this.name = name
    this.does = does
    this.may = may
    this.settlesWithin = settlesWithin
    this.mayDie = mayDie
  }
  override check = (world: Readonly<World>) => this.may(world)
  async act(world: World, device: Controller) {
    await this.does(world, device)
  }
  override toString = () => this.name
}
