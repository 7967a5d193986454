/** What `now` gives, in seconds since 1970. Set for the evaluation that is running, like the meter. */
export const clock = { seconds: 0 }
