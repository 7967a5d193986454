import type { NotificationMessage } from './message.js'

/** What a service that answered with success may still complain of in its answer. */
export interface Complaint {
  readonly reason: string
  /** Whether another try can help. */
  readonly isPassing: boolean
}

/** A place to which notifications are posted. */
export interface Service {
  /** The body of the request, within the limits of the service. */
  payload(message: NotificationMessage, now: Date): unknown
  /** Some services answer 200 and say in the text that it did not work. */
  complaint?(answer: string): Complaint | undefined
}
