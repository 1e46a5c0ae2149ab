//! The description of the API (OpenAPI 3.1), made from the routes themselves, and the router with all of them.

use crate::api::outcome::GroupView;
use crate::app::Shared;
use crate::problem::{Problem, ProblemBody, ProblemCode};
use crate::{api, chart, guard, home, table};
use axum::Router;
use axum::http::{Method, StatusCode, header};
use axum::middleware::from_fn_with_state;
use axum::response::IntoResponse;
use axum::routing::get;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Tumble",
        description = "Fair rolls with every die shown, and exact odds. The bodies are those of `tumble batch`.",
        license(name = "MIT OR Apache-2.0")
    ),
    servers((url = "/")),
    components(schemas(ProblemBody, ProblemCode, GroupView, table::TableEvent))
)]
struct Described;

fn described() -> OpenApiRouter<Shared> {
    OpenApiRouter::with_openapi(Described::openapi())
        .merge(api::router())
        .merge(table::router())
        .routes(routes!(chart::svg))
        .routes(routes!(chart::png))
}

/// The description, as JSON.
pub fn openapi() -> String {
    let (_, description) = described().split_for_parts();
    let mut text = description.to_pretty_json().unwrap_or_default();
    text.push('\n');
    text
}

/// Everything that is served to the world.
pub(crate) fn router(app: Shared) -> Router {
    let (routes, _) = described().split_for_parts();
    let description = openapi();
    let description =
        move || async move { ([(header::CONTENT_TYPE, "application/json")], description).into_response() };
    routes
        .route("/", get(home::home))
        .route("/t/{*rest}", get(home::table))
        .route("/move", get(home::table))
        .route("/openapi.json", get(description))
        .fallback(home::file)
        .method_not_allowed_fallback(wrong_method)
        .layer(from_fn_with_state(app.clone(), guard::guard))
        .with_state(app)
}

pub(crate) async fn wrong_method(method: Method) -> Problem {
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, "method", format!("`{method}` does not work with this address"))
        .hint("the header `Allow` lists what does")
}
