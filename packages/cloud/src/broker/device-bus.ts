/** The connection to the devices, whichever broker carries it. */
export interface DeviceBus {
  /** While false, no device can be reached. */
  readonly connected: boolean
  /** Sends a message to one device, or drops it: the bus never stores messages for an offline device. */
  send(deviceId: string, topic: string, payload: Buffer): void
  /** Sets the only receiver and asks every device for its status. */
  receive(receiver: BusReceiver): void
  close(): Promise<void>
}

export interface BusReceiver {
  message(topic: string, payload: Buffer): void
  /** The connection to the broker is lost, so the last status of every device is stale. */
  lost(): void
}
