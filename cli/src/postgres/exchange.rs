//! Exchange of a query and its answer over a connection.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;

use ebs_remote::Query;
use futures_util::TryStreamExt;
use tokio::io::Empty;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{AsyncMessage, Client, Connection, Error as ClientError};

use super::answer::{Answer, Notices};
use super::channel::Channel;

/// Returns the first row of the answer, once all of it was read.
pub async fn read_answer(client: &Client, query: &Query) -> Result<Answer, ClientError> {
    let parameters = query.parameters.iter().map(|value| (value as &(dyn ToSql + Sync), Type::TEXT));
    let mut rows = pin!(client.query_typed_raw(&query.text, parameters).await?);
    let mut answer = None;
    while let Some(row) = rows.try_next().await? {
        if answer.is_none() {
            answer = Some(Answer::from_row(&row)?);
        }
    }
    Ok(answer.unwrap_or_default())
}

/// Polls the connection until the request is answered.
pub async fn drive<T>(
    connection: &mut Connection<Empty, Channel>,
    notices: &mut Notices,
    request: impl Future<Output = Result<T, ClientError>>,
) -> Result<T, ClientError> {
    let mut request = pin!(request);
    poll_fn(|context| {
        let end = loop {
            match connection.poll_message(context) {
                Poll::Ready(Some(Ok(AsyncMessage::Notice(notice)))) => notices.add(&notice),
                // Nothing is listened to.
                Poll::Ready(Some(Ok(_))) => (),
                Poll::Ready(Some(Err(error))) => break Some(error),
                Poll::Ready(None) | Poll::Pending => break None,
            }
        };
        match (request.as_mut().poll(context), end) {
            // The connection's own error is the reason.
            (Poll::Ready(Err(error)), Some(end)) if error.is_closed() => Poll::Ready(Err(end)),
            (Poll::Pending, Some(end)) => Poll::Ready(Err(end)),
            (answer, _) => answer,
        }
    })
    .await
}
