/** The way to the devices and back, whichever broker carries it. */
export interface DeviceBus {
  /** While false, no device can be reached. */
  readonly connected: boolean
  /** Hands over a message for one device, or drops it: it is never kept for a device that is not there. */
  send(deviceId: string, topic: string, payload: Buffer): void
  /** From now on messages go to this receiver; one only. Every device is asked to say its status. */
  receive(receiver: BusReceiver): void
  close(): Promise<void>
}

export interface BusReceiver {
  message(topic: string, payload: Buffer): void
  /** The broker is gone: what devices said of themselves no longer holds. */
  lost(): void
}
