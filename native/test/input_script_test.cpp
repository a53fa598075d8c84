#include "radio/virtual/input_script.h"

#include "third_party/doctest/doctest.h"

using namespace singulate::radio;

TEST_CASE("an input changes at its times, once") {
  const InputScript script{.port = 1, .high = true, .change_seconds = {1, 2.5}};
  CHECK(high_at(script, 0));
  CHECK(high_at(script, 0.999));
  CHECK_FALSE(high_at(script, 1));
  CHECK_FALSE(high_at(script, 2.4));
  CHECK(high_at(script, 2.5));
  CHECK(high_at(script, 1e6));
  CHECK(next_change(script, 0).value_or(-1) == 1);
  CHECK(next_change(script, 1).value_or(-1) == 2.5);
  CHECK_FALSE(next_change(script, 2.5));
}

TEST_CASE("with a period the changes come again") {
  const InputScript script{
      .port = 1, .high = false, .change_seconds = {1, 2}, .period_seconds = 10};
  CHECK_FALSE(high_at(script, 20.5));
  CHECK(high_at(script, 21.5));
  CHECK_FALSE(high_at(script, 22.5));
  CHECK(next_change(script, 22.5).value_or(-1) == 31);
}

TEST_CASE("an odd number of changes leaves the other level to the next pass") {
  const InputScript script{.port = 1, .high = true, .change_seconds = {1}, .period_seconds = 10};
  CHECK_FALSE(high_at(script, 5));
  CHECK_FALSE(high_at(script, 10.5));
  CHECK(high_at(script, 15));
  CHECK(high_at(script, 20.5));
}
