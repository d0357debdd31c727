/** The connection to the devices, whichever broker carries it. */
export interface DeviceBus {
  /** While false, no device can be reached. */
  readonly connected: boolean
  /** Why this process cannot do its work, for an operator; `undefined` when it can. */
  readonly problem: string | undefined
  /** Sends a message to one device, or drops it: the bus never stores messages for an offline device. */
  send(deviceId: string, topic: string, payload: Buffer): void
  /** Sets the only receiver and asks every device for its status. */
  receive(receiver: BusReceiver): void
  /**
   * Asks the broker for the last status of these devices. Those that it has arrive as retained messages before this
   * resolves. Missing where the broker is part of this process and drops nothing.
   */
  askStatus?(deviceIds: readonly string[]): Promise<void>
  /** Leaves batches to the other processes, because this one is about to stop. */
  leave(): Promise<void>
  close(): Promise<void>
}

export interface BusReceiver {
  /** A retained message is what a device said some time ago; any other is what it says now. */
  message(topic: string, payload: Buffer, isRetained?: boolean): void
  /** The connection to the broker is up, and every device was asked for its status. */
  found?(): void
  /** The connection to the broker is lost, so the last status of every device is stale. */
  lost(): void
}
